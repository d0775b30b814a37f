// Asks for the password before anything of the page is shown.
import { useForm } from "react-hook-form";
import { useConfirmAdmin } from "../../api/admin";
import { useDetailedUser } from "../../api/session";
import { Form, SubmitButton } from "../../components/Form";
import { PasswordField, requiredText } from "../../components/fields";
import { focusesFirstField } from "../../lib/touch";
import { page, confirm as texts } from "./texts";

export function Confirm() {
  const confirm = useConfirmAdmin();
  const user = useDetailedUser();
  const form = useForm({ defaultValues: { password: "" } });
  return (
    <section className="card stack" aria-label={texts.title}>
      <p>{texts.why}</p>
      <Form form={form} failure={page.failed} onSubmit={({ password }) => confirm.mutateAsync(password)}>
        {/* For password managers: whose password it is. */}
        <input hidden readOnly autoComplete="username" value={user.data?.email ?? ""} />
        <PasswordField
          control={form.control}
          name="password"
          label={texts.password}
          autoComplete="current-password"
          autoFocus={focusesFirstField()}
          rules={requiredText(texts.missing)}
        />
        <SubmitButton icon="key">{texts.go}</SubmitButton>
      </Form>
    </section>
  );
}
