// "Zugänge für Skripte": the personal access tokens, made and ended in a dialog. The text of a new one is shown once.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAccessTokens, useCreateAccessToken } from "../../api/account";
import type { AccessToken } from "../../api/generated/AccessToken";
import { useWrite } from "../../api/useWrite";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { Checkbox, RadioChoice, requiredText, TextField } from "../../components/fields";
import { ErrorNote, errorText, QueryView, Skeleton } from "../../components/states";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";
import styles from "./Devices.module.css";
import { Action } from "./ProfileFold";
import { accessTokens as texts } from "./texts";

const maxNameLength = 60;

/** What the dialog shows. */
type View = { name: "closed" } | { name: "list" } | { name: "new" } | { name: "made"; token: string };

export function AccessTokens() {
  const [view, setView] = useState<View>({ name: "closed" });
  const close = () => setView({ name: "closed" });
  return (
    <Action hint={texts.hint}>
      <Button icon="key" onPress={() => setView({ name: "list" })}>
        {texts.title}
      </Button>
      <Dialog title={texts.title} isOpen={view.name === "list"} onClose={close}>
        <DialogBody>
          <TokenList />
        </DialogBody>
        <DialogActions>
          <Button onPress={close}>{general.close}</Button>
          <Button icon="plus" variant="primary" onPress={() => setView({ name: "new" })}>
            {texts.add}
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog title={texts.add} isOpen={view.name === "new"} onClose={close} isBlocking>
        <TokenForm
          onMade={(token) => setView({ name: "made", token })}
          onClose={() => setView((now) => (now.name === "made" ? now : { name: "list" }))}
        />
      </Dialog>
      <Dialog title={texts.made} isOpen={view.name === "made"} onClose={close} isBlocking>
        {view.name === "made" && <NewToken token={view.token} onClose={() => setView({ name: "list" })} />}
      </Dialog>
    </Action>
  );
}

function TokenList() {
  const query = useAccessTokens();
  return (
    <QueryView query={query} failure={texts.failed} skeleton={<Skeleton count={2} height={3} />}>
      {(tokens) =>
        tokens.length === 0 ? (
          <p className="quiet">{texts.none}</p>
        ) : (
          <ul className={styles.list}>
            {tokens.map((token) => (
              <Token key={token.dpfId} token={token} />
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function Token({ token }: { token: AccessToken }) {
  const end = useWrite("EndAccessToken");
  async function endIt() {
    try {
      await end.mutateAsync({ dpfId: token.dpfId });
      showToast(texts.ended);
    } catch {
      // The error is shown below.
    }
  }
  return (
    <li className={styles.device}>
      <div className={styles.about}>
        <strong>{token.name}</strong>
        <p className="quiet">{token.mayWrite ? texts.writes : texts.reads}</p>
        <p className="quiet">{texts.times(token.ends, token.lastUsed)}</p>
      </div>
      <Button icon="delete" onPress={endIt}>
        {texts.end}
        <span className="visually-hidden"> {token.name}</span>
      </Button>
      {end.error && <ErrorNote>{errorText(end.error, general.saveFailed)}</ErrorNote>}
    </li>
  );
}

type TokenFields = { name: string; mayWrite: boolean; days: string };

function TokenForm({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const create = useCreateAccessToken();
  const form = useForm<TokenFields>({ defaultValues: { name: "", mayWrite: false, days: "90" } });
  async function submit({ name, mayWrite, days }: TokenFields) {
    const { token } = await create.mutateAsync({ name: name.trim(), mayWrite, days });
    onMade(token);
  }
  return (
    <DialogForm
      form={form}
      onSave={submit}
      onClose={onClose}
      submit={<SubmitButton icon="key">{texts.create}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        rules={requiredText(texts.nameMissing)}
        maxLength={maxNameLength}
        autoFocus={focusesFirstField()}
      />
      <RadioChoice control={form.control} name="days" label={texts.lasts} choices={texts.spans} />
      <Checkbox control={form.control} name="mayWrite" label={texts.mayWrite} />
    </DialogForm>
  );
}

function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  // Pages over plain http have no clipboard: a tap selects the whole token.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  async function copy() {
    await clipboard?.writeText(token).then(
      () => showToast(texts.isCopied),
      () => {},
    );
  }
  return (
    <>
      <DialogBody>
        <div className="stack">
          <p>{texts.madeHint}</p>
          <textarea
            className={styles.token}
            aria-label={texts.token}
            readOnly
            rows={3}
            value={token}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          {clipboard && (
            <Button icon="documents" onPress={copy}>
              {texts.copy}
            </Button>
          )}
        </div>
      </DialogBody>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {texts.copied}
        </Button>
      </DialogActions>
    </>
  );
}
