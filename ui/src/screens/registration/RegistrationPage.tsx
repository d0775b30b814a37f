// The first step of a registration: e-mail and nickname. The server mails a code.
import { useForm } from "react-hook-form";
import { Link, useLocation, useNavigate } from "react-router";
import { useSetupState } from "../../api/accountLinks";
import { type RegistrationFields, useRegister } from "../../api/registration";
import { login, registration } from "../../components/account/texts";
import { EmailField, NicknameField } from "../../components/accountFields";
import { EntryPage } from "../../components/EntryPage";
import { Form, SubmitButton } from "../../components/Form";
import { InfoNote } from "../../components/states";
import { urls } from "../../urls";

export function RegistrationPage() {
  const navigate = useNavigate();
  const register = useRegister();
  const setup = useSetupState();
  // Restores the typed values after a return from the code.
  const typed = useLocation().state as Partial<RegistrationFields> | null;
  const form = useForm<RegistrationFields>({
    defaultValues: { email: typed?.email ?? "", nickname: typed?.nickname ?? "" },
  });

  async function submit(typed: RegistrationFields) {
    const fields = { email: typed.email.trim(), nickname: typed.nickname.trim() };
    await register.mutateAsync(fields);
    // Keeps the values in this history entry for Back.
    await navigate(urls.register, { replace: true, state: fields });
    await navigate("verify", { state: fields });
  }

  return (
    <EntryPage
      title={registration.title}
      below={
        <>
          {registration.hasAccount} <Link to={urls.login}>{registration.toLogin}</Link>
        </>
      }
    >
      {setup.data?.open && <InfoNote>{login.noAccountYet}</InfoNote>}
      <Form form={form} onSubmit={submit} failure={registration.failed}>
        <EmailField
          control={form.control}
          name="email"
          label={login.email}
          hint={registration.emailHint}
          rules={{ validate: (email) => email.trim() !== "" || registration.emailMissing }}
        />
        <NicknameField
          control={form.control}
          name="nickname"
          label={registration.nickname}
          hint={registration.nicknameHint}
          rules={{ validate: (nickname) => nickname.trim() !== "" || registration.nicknameMissing }}
        />
        <SubmitButton isLarge>{registration.title}</SubmitButton>
      </Form>
    </EntryPage>
  );
}
