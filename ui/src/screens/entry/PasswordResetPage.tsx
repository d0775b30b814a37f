// A new password by a link of the admin, which logs in.
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { usePasswordReset, useResetPassword } from "../../api/entry";
import type { PasswordReset } from "../../api/generated/PasswordReset";
import { EntryAddress, EntryPage } from "../../components/EntryPage";
import { Form, SubmitButton } from "../../components/Form";
import { PasswordField } from "../../components/fields";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { general, links, profile } from "../../texts";
import { urls } from "../../urls";
import { DeadLink, isGone, LinkPage } from "./LinkPage";

export function PasswordResetPage() {
  return <LinkPage url={urls.passwordReset}>{(token) => <Reset token={token} />}</LinkPage>;
}

function Reset({ token }: { token: string }) {
  const reset = useResetPassword(token);
  const query = usePasswordReset(token, { isUsed: reset.isPending || reset.isSuccess });
  const gone = [query.error, reset.error].find(isGone);
  if (gone) return <DeadLink title={links.goneTitle} text={gone.text} />;
  return (
    <EntryPage title={links.resetTitle}>
      <QueryView
        query={query}
        failure={(error) => errorText(error, general.failed)}
        skeleton={<Skeleton count={2} height={5} />}
      >
        {(user) => <NewPassword user={user} onReset={reset.mutateAsync} />}
      </QueryView>
    </EntryPage>
  );
}

type Passwords = { password: string; repeatPassword: string };

function NewPassword({
  user,
  onReset,
}: {
  user: PasswordReset;
  onReset: (passwords: Passwords) => Promise<unknown>;
}) {
  const navigate = useNavigate();
  const form = useForm<Passwords>({ defaultValues: { password: "", repeatPassword: "" } });

  async function submit(passwords: Passwords) {
    await onReset(passwords);
    await navigate(urls.home, { replace: true });
  }
  return (
    <>
      <p>
        {links.resetFor(user.nickname)} <EntryAddress>{user.email}</EntryAddress>
      </p>
      <Form form={form} onSubmit={submit} failure={general.failed}>
        {/* For password managers: the account of the new password. */}
        <input hidden readOnly autoComplete="username" value={user.email} />
        <PasswordField
          control={form.control}
          name="password"
          label={profile.password}
          hint={profile.passwordHint}
          autoComplete="new-password"
        />
        <PasswordField
          control={form.control}
          name="repeatPassword"
          label={profile.repeatPassword}
          autoComplete="new-password"
          rules={{
            validate: (repeated) => repeated === form.getValues("password") || profile.passwordsDiffer,
          }}
        />
        <SubmitButton isLarge>{links.resetSubmit}</SubmitButton>
      </Form>
    </>
  );
}
