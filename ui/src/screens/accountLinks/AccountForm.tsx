// E-mail, nickname and password of a new account. Creating it logs in.
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import type { AccountFields } from "../../api/accountLinks";
import { login, registration } from "../../components/account/texts";
import { EmailField, NicknameField } from "../../components/accountFields";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox, PasswordField, requiredText } from "../../components/fields";
import { profile } from "../../components/texts/profile";
import { general } from "../../texts";
import { urls } from "../../urls";
import { links } from "./texts";

export function AccountForm({
  nickname,
  onCreate,
}: {
  nickname: string;
  onCreate: (fields: AccountFields) => Promise<unknown>;
}) {
  const navigate = useNavigate();
  const form = useForm<AccountFields>({
    defaultValues: { email: "", nickname, password: "", rememberMe: false },
  });

  async function submit({ email, nickname, ...others }: AccountFields) {
    await onCreate({ email: email.trim(), nickname: nickname.trim(), ...others });
    await navigate(urls.home, { replace: true });
  }
  return (
    <Form form={form} onSubmit={submit} failure={links.accountFailed}>
      <EmailField
        control={form.control}
        name="email"
        label={login.email}
        hint={links.emailHint}
        rules={requiredText(registration.emailMissing)}
      />
      <NicknameField
        control={form.control}
        name="nickname"
        label={registration.nickname}
        hint={registration.nicknameHint}
        rules={requiredText(registration.nicknameMissing)}
      />
      <PasswordField
        control={form.control}
        name="password"
        label={login.password}
        hint={profile.passwordHint}
        autoComplete="new-password"
        rules={{ required: general.required }}
      />
      <Checkbox control={form.control} name="rememberMe" label={login.rememberMe} />
      <SubmitButton isLarge>{links.createAccount}</SubmitButton>
    </Form>
  );
}
