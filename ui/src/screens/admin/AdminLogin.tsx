// Asks for the password, or for the number in a mail, before the page shows anything.
import { useForm } from "react-hook-form";
import { useConfirmAdmin, useMailAdminNumber, useNumberTyped } from "../../api/admin";
import type { AdminState } from "../../api/generated/AdminState";
import { useDetailedUser } from "../../api/session";
import { Button } from "../../components/Button";
import { Form, SubmitButton } from "../../components/Form";
import { PasswordField, requiredText } from "../../components/fields";
import { ErrorNote, errorText, InfoNote } from "../../components/states";
import { focusesFirstField } from "../../lib/touch";
import styles from "./Admin.module.css";
import { page, confirm as texts } from "./texts";

export function AdminLogin({ state: { proof, sendsMail } }: { state: AdminState }) {
  return (
    <section className="card stack" aria-label={texts.title}>
      {proof === "password" && <ByPassword />}
      {proof === "mail" && <ByMail sendsMail={sendsMail} />}
      {proof === "shell" && (
        <p>
          {texts.shell} <code>{texts.shellCommand}</code>
        </p>
      )}
    </section>
  );
}

function ByPassword() {
  const confirm = useConfirmAdmin();
  const user = useDetailedUser();
  const form = useForm({ defaultValues: { password: "" } });
  return (
    <>
      <p>{texts.why}</p>
      <Form form={form} failure={page.failed} onSubmit={({ password }) => confirm.mutateAsync(password)}>
        {/* Tells password managers whose password it is. */}
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
    </>
  );
}

function ByMail({ sendsMail }: { sendsMail: boolean }) {
  const email = useDetailedUser().data?.email ?? "";
  const mail = useMailAdminNumber();
  const number = mail.data?.number;
  const typed = useNumberTyped(number);
  const failure = mail.error ?? typed.error;
  const isWaiting = number !== undefined && failure === null;
  return (
    <>
      {!isWaiting && <p>{texts.mailWhy}</p>}
      {!sendsMail && (
        <InfoNote>
          {texts.outbox} <code>{texts.outboxCommand}</code>
        </InfoNote>
      )}
      {isWaiting && (
        <>
          <p>{texts.toType(email)}</p>
          <p className={styles.number}>{number}</p>
          <p role="status">{texts.waiting}</p>
        </>
      )}
      {failure && <ErrorNote>{errorText(failure, page.failed)}</ErrorNote>}
      <Button
        variant={isWaiting ? "secondary" : "primary"}
        icon="forward"
        isDisabled={mail.isPending}
        onPress={() => mail.mutate()}
      >
        {isWaiting ? texts.mailAgain : texts.mail}
      </Button>
    </>
  );
}
