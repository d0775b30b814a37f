// The second step of a registration: the code from the mail, which logs in.
import { useForm } from "react-hook-form";
import { Link, useLocation, useNavigate } from "react-router";
import { type RegistrationFields, useVerify } from "../../api/registration";
import { login } from "../../components/account/texts";
import { EntryAddress, EntryPage } from "../../components/EntryPage";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox, TextField } from "../../components/fields";
import { urls } from "../../urls";
import { verification } from "./texts";

export function VerificationPage() {
  const navigate = useNavigate();
  const verify = useVerify();
  const form = useForm({ defaultValues: { code: "", rememberMe: false } });
  const typed = useLocation().state as Partial<RegistrationFields> | null;

  async function submit({ code, rememberMe }: { code: string; rememberMe: boolean }) {
    await verify.mutateAsync({ code: code.trim(), rememberMe });
    await navigate(urls.home, { replace: true });
  }

  return (
    <EntryPage
      title={verification.title}
      below={
        <Link to={urls.register} state={typed}>
          {verification.again}
        </Link>
      }
    >
      {typed?.email ? (
        <p>
          {verification.sentTo} <EntryAddress>{typed.email}</EntryAddress>
        </p>
      ) : (
        <p>{verification.sent}</p>
      )}
      <Form form={form} onSubmit={submit} failure={verification.failed}>
        <TextField
          control={form.control}
          name="code"
          label={verification.code}
          hint={verification.validity}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          rules={{ validate: (code) => code.trim() !== "" || verification.missing }}
        />
        <Checkbox control={form.control} name="rememberMe" label={login.rememberMe} />
        <SubmitButton isLarge>{verification.submit}</SubmitButton>
      </Form>
      <p className="quiet">{verification.noMail}</p>
    </EntryPage>
  );
}
