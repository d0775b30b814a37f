// Sets a new password from an admin's link, and logs in.
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import type { PasswordFields } from "../../api/account";
import { usePasswordReset, useResetPassword } from "../../api/accountLinks";
import type { PasswordReset } from "../../api/generated/PasswordReset";
import { NewPasswordFields } from "../../components/accountFields";
import { EntryAddress, EntryPage } from "../../components/EntryPage";
import { Form, SubmitButton } from "../../components/Form";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { general } from "../../texts";
import { urls } from "../../urls";
import { DeadLink, isGone, LinkPage } from "./LinkPage";
import { links } from "./texts";

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

function NewPassword({
  user,
  onReset,
}: {
  user: PasswordReset;
  onReset: (passwords: PasswordFields) => Promise<unknown>;
}) {
  const navigate = useNavigate();
  const form = useForm<PasswordFields>({ defaultValues: { password: "", repeatPassword: "" } });

  async function submit(passwords: PasswordFields) {
    await onReset(passwords);
    await navigate(urls.home, { replace: true });
  }
  return (
    <>
      <p>
        {links.resetFor(user.nickname)} <EntryAddress>{user.email}</EntryAddress>
      </p>
      <Form form={form} onSubmit={submit} failure={general.failed}>
        <NewPasswordFields form={form} email={user.email} />
        <SubmitButton isLarge>{links.resetSubmit}</SubmitButton>
      </Form>
    </>
  );
}
