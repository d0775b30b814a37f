// The folded part of a document's form that makes it a proof: kind, number, end, and the pictures of its pages.
import { useId, useState } from "react";
import { type Control, type UseFormReturn, useController, useWatch } from "react-hook-form";
import type { ProofRules } from "../../api/generated/ProofRules";
import { useProofKinds } from "../../api/proofs";
import { DateField } from "../dateFields";
import { ChosenFile, StoredPicture } from "../FileItem";
import { ImagePicker } from "../FilePicker";
import { Fold } from "../Fold";
import { Checkbox, TextField } from "../fields";
import styles from "../fields.module.css";
import { ErrorNote, QueryView, Skeleton } from "../states";
import { eId, type ProofValues } from "./proofForm";
import { hasSecretEnd, publicPart, withoutSecretEnd } from "./secretEnd";
import { proofs as texts } from "./texts";
import type { ProofPages } from "./useProofPages";

/**
 * Addresses of pictures on the server; `remove` takes one of them. `areRequired`: the proof has pages, and the last one
 * goes only with the proof.
 */
export type StoredPages = {
  urls: readonly string[];
  areRequired: boolean;
  remove: (url: string) => void;
};

const nothingStored: StoredPages = { urls: [], areRequired: false, remove: () => {} };

type Parts = {
  form: UseFormReturn<ProofValues>;
  /** Null if the pages are shown elsewhere. */
  pages: ProofPages | null;
  /** The pictures on the server. */
  stored?: StoredPages;
  /** The document is a picture. */
  isOwnPage: boolean;
};

export function ProofFold(parts: Parts) {
  const { control, formState } = parts.form;
  const [kind, until, endless] = useWatch({ control, name: ["kind", "until", "endless"] });
  const [wasOpened, setOpened] = useState(false);
  const isWanted = wasOpened || kind !== "";
  const kinds = useProofKinds(isWanted);
  const name = kinds.data?.find((one) => String(one.kind) === kind)?.name;
  const end = endless ? texts.validForever : until && texts.validUntil(until);
  const { errors } = formState;
  return (
    <Fold
      title={texts.title}
      level="h3"
      note={kind === "" ? texts.noKind : [name, end].filter(Boolean).join(" · ")}
      isWrong={Boolean(errors.kind || errors.number || errors.until)}
      onOpen={() => setOpened(true)}
    >
      <div className="stack">
        {isWanted && (
          <QueryView query={kinds} failure={texts.kindsFailed} skeleton={<Skeleton height={4} />}>
            {(known) => (
              <>
                <KindField {...parts} kinds={known} />
                {kind !== "" && <ProofFields {...parts} kinds={known} kind={kind} endless={endless} />}
              </>
            )}
          </QueryView>
        )}
      </div>
    </Fold>
  );
}

/** A native select, which is easiest to use on phones. The kind proposes the end. */
function KindField({ form, kinds }: Parts & { kinds: readonly ProofRules[] }) {
  const { field, fieldState } = useController({ control: form.control, name: "kind" });
  const id = useId();
  const error = fieldState.error?.message;
  function choose(kind: string) {
    const proposal = kinds.find((one) => String(one.kind) === kind);
    const { number } = form.getValues();
    field.onChange(kind);
    form.setValue("number", kind === eId ? publicPart(number) : number, { shouldDirty: true });
    form.setValue("until", proposal?.proposedUntil ?? "", { shouldDirty: true });
    form.setValue("endless", proposal?.endless ?? false, { shouldDirty: true });
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {texts.kind}
      </label>
      <select
        id={id}
        ref={field.ref}
        value={field.value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && `${id}-error`}
        onBlur={field.onBlur}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{texts.noKind}</option>
        {kinds.map(({ kind, longName }) => (
          <option key={kind} value={kind}>
            {longName}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}

function ProofFields({
  form: { control },
  kinds,
  kind,
  endless,
  ...pictures
}: Parts & { kinds: readonly ProofRules[]; kind: string; endless: boolean }) {
  const chosen = kinds.find((one) => String(one.kind) === kind);
  const until = useWatch({ control, name: "until" });
  const isProposed = until !== "" && until === chosen?.proposedUntil;
  return (
    <>
      <NumberOfProof
        control={control}
        label={chosen?.numberName ?? texts.number}
        note={kind === eId ? chosen?.note : undefined}
        isEId={kind === eId}
      />
      {!endless && (
        <DateField
          control={control}
          name="until"
          label={texts.until}
          hint={isProposed ? texts.proposed : chosen?.note}
          rules={{
            validate: (end: unknown, { kind, endless }: ProofValues) =>
              kind === "" || endless || end !== "" || texts.untilMissing,
          }}
        />
      )}
      <Checkbox control={control} name="endless" label={texts.endless} />
      {!endless && <Checkbox control={control} name="remind" label={texts.remind} />}
      <Pictures {...pictures} />
    </>
  );
}

function NumberOfProof({
  control,
  label,
  note,
  isEId,
}: {
  control: Control<ProofValues>;
  label: string;
  note: string | undefined;
  isEId: boolean;
}) {
  const [wasCut, setCut] = useState(false);
  function clean(typed: string): string {
    const isCut = isEId ? hasSecretEnd(typed) : withoutSecretEnd(typed) !== typed;
    setCut(isCut);
    return isEId ? publicPart(typed) : withoutSecretEnd(typed);
  }
  return (
    <TextField
      control={control}
      name="number"
      label={label || texts.number}
      hint={wasCut ? texts.secretCut : note}
      clean={clean}
    />
  );
}

function Pictures({ pages, stored = nothingStored, isOwnPage }: Omit<Parts, "form">) {
  if (pages === null) return <p className="quiet">{texts.ownPage}</p>;
  const { state, files, room, hasTooMany, add, remove } = pages;
  const isFirst = isOwnPage && stored.urls.length === 0;
  const areRemovable = !stored.areRequired || stored.urls.length + files.length > 1;
  const isMissing = files.length === 0 && stored.urls.length === 0 && !isOwnPage;
  return (
    <div className="stack">
      {state === "making" && (
        <p className="quiet" role="status">
          <span className="spinner" aria-hidden="true" /> {texts.making}
        </p>
      )}
      {state === "failed" && <ErrorNote>{texts.pageFailed}</ErrorNote>}
      {state !== "making" && state !== "failed" && isMissing && <p className="quiet">{texts.noPages}</p>}
      {isFirst && <p className="quiet">{texts.ownPage}</p>}
      {stored.urls.map((url, at) => (
        <StoredPicture
          key={url}
          name={texts.pageAt(at + 1)}
          url={url}
          onRemove={areRemovable ? () => stored.remove(url) : undefined}
        />
      ))}
      {files.map((file) => (
        <ChosenFile
          key={`${file.name} ${file.size}`}
          file={file}
          isPicture
          onRemove={areRemovable ? () => remove(file) : undefined}
        />
      ))}
      {hasTooMany && <ErrorNote>{texts.tooManyPages}</ErrorNote>}
      {state !== "making" && room > 0 && (
        <ImagePicker label={texts.addPages} camera="environment" isMultiple onPick={add} />
      )}
    </div>
  );
}
