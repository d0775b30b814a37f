// The page behind the link in a login mail: names the browser that asks to log in, and asks for the number that it
// shows. Opening the page confirms nothing. Works in any browser, logged in or not.
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { Navigate, useLocation } from "react-router";
import { ApiError } from "../../api/client";
import type { LoginRequest } from "../../api/generated/LoginRequest";
import { useConfirmLogin, useDenyLogin, useLoginRequest } from "../../api/mailLogin";
import { Button, ButtonLink } from "../../components/Button";
import { EntryPage } from "../../components/EntryPage";
import { Form, SubmitButton } from "../../components/Form";
import { TextField } from "../../components/fields";
import { Icon } from "../../components/Icon";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { urls } from "../../urls";
import styles from "./LoginConfirmation.module.css";
import { adminConfirmation, confirmation } from "./texts";

export function LoginConfirmation() {
  const { hash, state } = useLocation();
  // Removed from the address bar, where it could be read, copied or kept; a reload still has it.
  if (hash !== "") {
    return <Navigate to={urls.loginConfirmation} replace state={{ token: hash.slice(1) }} />;
  }
  const token = (state as { token?: string } | null)?.token ?? "";
  if (token === "") {
    return (
      <Ending title={confirmation.incompleteTitle}>
        <ErrorNote>{confirmation.incomplete}</ErrorNote>
      </Ending>
    );
  }
  return <Confirmation key={token} token={token} />;
}

function Confirmation({ token }: { token: string }) {
  const query = useLoginRequest(token);
  const [isConfirmed, setConfirmed] = useState(false);
  const [isDenied, setDenied] = useState(false);
  const [goneText, setGoneText] = useState<string | null>(null);
  const gone = goneText ?? (isGone(query.error) ? query.error.text : null);
  const texts = query.data?.admin ? { ...confirmation, ...adminConfirmation } : confirmation;

  if (isConfirmed) {
    return (
      <Ending title={texts.done} icon={<Icon name="success" size={40} />}>
        <p>{texts.doneText}</p>
      </Ending>
    );
  }
  if (isDenied) {
    return (
      <Ending title={texts.notMeTitle}>
        <p>{texts.notMeText}</p>
      </Ending>
    );
  }
  if (gone !== null) {
    return (
      <Ending title={confirmation.goneTitle}>
        <ErrorNote>{gone}</ErrorNote>
      </Ending>
    );
  }
  return (
    <EntryPage title={texts.title}>
      <QueryView
        query={query}
        failure={(error) => errorText(error, confirmation.failed)}
        skeleton={<Skeleton count={2} height={5} />}
      >
        {(request) => (
          <NumberForm
            token={token}
            request={request}
            texts={texts}
            onConfirmed={() => setConfirmed(true)}
            onDenied={() => setDenied(true)}
            onGone={setGoneText}
          />
        )}
      </QueryView>
    </EntryPage>
  );
}

/** Whether the link is expired, used, or was tried too often. */
function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 410;
}

function NumberForm({
  token,
  request,
  texts,
  onConfirmed,
  onDenied,
  onGone,
}: {
  token: string;
  request: LoginRequest;
  texts: typeof confirmation;
  onConfirmed: () => void;
  onDenied: () => void;
  onGone: (text: string) => void;
}) {
  const confirm = useConfirmLogin(token);
  const deny = useDenyLogin(token);
  const form = useForm({ defaultValues: { number: "" } });

  async function submit({ number }: { number: string }) {
    try {
      await confirm.mutateAsync(number.trim());
      onConfirmed();
    } catch (error) {
      if (!isGone(error)) throw error;
      onGone(error.text);
    }
  }

  async function refuse() {
    try {
      await deny.mutateAsync();
      onDenied();
    } catch (error) {
      if (isGone(error)) onGone(error.text);
    }
  }

  return (
    <>
      <p>{texts.question}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{confirmation.browser}</dt>
          <dd>{request.browser}</dd>
        </div>
        <div>
          <dt>{confirmation.from}</dt>
          <dd>{request.from}</dd>
        </div>
        <div>
          <dt>{confirmation.time}</dt>
          <dd>{request.time}</dd>
        </div>
      </dl>
      <Form form={form} onSubmit={submit} failure={confirmation.failed}>
        <TextField
          control={form.control}
          name="number"
          label={confirmation.number}
          hint={texts.numberHint}
          inputMode="numeric"
          maxLength={10}
          rules={{ validate: (number) => number.trim() !== "" || confirmation.numberMissing }}
        />
        <SubmitButton isLarge>{texts.submit}</SubmitButton>
        {deny.error && <ErrorNote>{errorText(deny.error, confirmation.failed)}</ErrorNote>}
        <Button onPress={refuse}>{texts.notMe}</Button>
      </Form>
    </>
  );
}

/** A final state, with a link to the login. */
function Ending({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <EntryPage title={title}>
      {icon}
      {children}
      <ButtonLink to={urls.login}>{confirmation.toLogin}</ButtonLink>
    </EntryPage>
  );
}
