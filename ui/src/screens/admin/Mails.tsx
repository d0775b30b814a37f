// "Mail": a test mail, mails waiting for the mail server, and the outbox. Shows no mail's text, because a link in it
// may open an account.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAdminAction, useMailOutbox } from "../../api/admin";
import type { AdminMails } from "../../api/generated/AdminMails";
import type { AdminOutcome } from "../../api/generated/AdminOutcome";
import { EmailField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Form, SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { ErrorNote, errorText, InfoNote, QueryView } from "../../components/states";
import { showToast } from "../../components/toasts";
import { Buttons, Row, Rows } from "./Facts";
import { page, mails as texts } from "./texts";

export function Mails() {
  return (
    <QueryView query={useMailOutbox()} failure={page.loadFailed}>
      {(mails) => (
        <div className="stack">
          {mails.server === "" ? (
            <p>
              {texts.noServer} <code>{texts.outboxCommand}</code>
            </p>
          ) : (
            <p>{texts.server(mails.server)}</p>
          )}
          <Test />
          {mails.server !== "" && <Queued mails={mails} />}
          <Outbox mails={mails} />
        </div>
      )}
    </QueryView>
  );
}

function Test() {
  const test = useAdminAction("SendTestMail");
  const form = useForm({ defaultValues: { email: "" } });
  const [outcome, setOutcome] = useState<AdminOutcome | null>(null);

  async function submit({ email }: { email: string }) {
    setOutcome(null);
    setOutcome(await test.mutateAsync({ email: email.trim() }));
  }
  return (
    <Form form={form} onSubmit={submit} failure={page.failed}>
      <EmailField
        control={form.control}
        name="email"
        label={texts.to}
        rules={requiredText(texts.toMissing)}
      />
      <Buttons>
        <SubmitButton variant="secondary" icon="forward">
          {texts.test}
        </SubmitButton>
      </Buttons>
      {outcome?.isGood === true && <InfoNote icon="success">{outcome.sentence}</InfoNote>}
      {outcome?.isGood === false && <ErrorNote>{outcome.sentence}</ErrorNote>}
    </Form>
  );
}

function Queued({ mails: { waiting } }: { mails: AdminMails }) {
  const resend = useAdminAction("ResendMails");
  async function send() {
    await resend.mutateAsync({}).then(
      () => showToast(texts.resent),
      () => {},
    );
  }
  return (
    <section aria-label={texts.waiting}>
      <h3>{texts.waiting}</h3>
      {waiting.length === 0 && <p className="quiet">{texts.noneWaiting}</p>}
      <Rows>
        {waiting.map(({ to, since, attempts, failure }) => (
          <Row key={`${to} ${since}`}>
            <p>{to}</p>
            <p className="quiet">
              {texts.since(since)}
              {attempts > 0 && ` · ${texts.attempts(attempts)}: ${failure}`}
            </p>
          </Row>
        ))}
      </Rows>
      {waiting.some(({ attempts }) => attempts > 0) && (
        <Button icon="retry" onPress={send}>
          {texts.resend}
        </Button>
      )}
      {resend.error && <ErrorNote>{errorText(resend.error, page.failed)}</ErrorNote>}
    </section>
  );
}

function Outbox({ mails: { kept } }: { mails: AdminMails }) {
  return (
    <section aria-label={texts.kept}>
      <h3>{texts.kept}</h3>
      {kept.length === 0 && <p className="quiet">{texts.noneKept}</p>}
      <Rows>
        {kept.map(({ to, subject, written }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two mails of one minute may be alike
          <Row key={position}>
            <p>{subject}</p>
            <p className="quiet">
              {to} · {written}
            </p>
          </Row>
        ))}
      </Rows>
    </section>
  );
}
