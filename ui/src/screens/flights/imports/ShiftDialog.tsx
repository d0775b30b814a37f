// Shifts the times of all flights of a file, by hours and minutes or by when its first flight really began.
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import type { Import } from "../../../api/generated/Import";
import { Dialog } from "../../../components/Dialog";
import { DialogForm } from "../../../components/DialogForm";
import { DateTimeField } from "../../../components/dateFields";
import { SubmitButton } from "../../../components/Form";
import { TextField } from "../../../components/fields";
import { firstInFile, formatShift, parseShift, shiftBetween, shifted } from "./review";
import { imports as texts } from "./texts";

export function ShiftDialog({
  found,
  file,
  onDone,
  onClose,
}: {
  found: Import;
  file: number;
  onDone: (minutes: number) => void;
  onClose: () => void;
}) {
  const first = firstInFile(file, found);
  const now = found.proposals.find((proposal) => proposal.file === file)?.shiftMinutes ?? 0;
  const form = useForm({
    defaultValues: { by: formatShift(now), first: first === null ? "" : shifted(first, now) },
  });
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values, name }) => {
          if (first === null) return;
          const [asked, moved] = [parseShift(values.by), shiftBetween(first, values.first)];
          if (asked === moved) return;
          if (name === "first" && moved !== null) {
            form.setValue("by", formatShift(moved), { shouldValidate: true });
          } else if (name === "by" && asked !== null) {
            form.setValue("first", shifted(first, asked));
          }
        },
      }),
    [form, first],
  );
  return (
    <Dialog title={texts.shift} isOpen onClose={onClose} isBlocking={form.formState.isDirty}>
      <DialogForm
        form={form}
        onSave={async ({ by }) => onDone(parseShift(by) ?? 0)}
        onClose={onClose}
        submit={<SubmitButton icon="clock">{texts.shiftDone}</SubmitButton>}
      >
        <p className="quiet">{found.files[file]?.name}</p>
        <TextField
          control={form.control}
          name="by"
          label={texts.shiftBy}
          hint={texts.shiftHint}
          maxLength={12}
          rules={{ validate: (text: string) => parseShift(text) !== null || texts.shiftInvalid }}
        />
        {first !== null && (
          <DateTimeField
            control={form.control}
            name="first"
            label={texts.firstStart}
            hint={texts.unshifted(first)}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
