// Every value of a flight from a file, in the fields of the flight editor. Nothing is stored: the review keeps the
// changes.
import { type Control, useForm, useWatch } from "react-hook-form";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import type { Proposal } from "../../../api/generated/Proposal";
import { Dialog } from "../../../components/Dialog";
import { DialogForm } from "../../../components/DialogForm";
import { SubmitButton } from "../../../components/Form";
import { NumberField } from "../../../components/fields";
import { byLastUse } from "../../../components/start/readyFlight";
import { flights } from "../../../components/texts/flights";
import { EquipmentSections } from "../ChoiceSections";
import { BatteryGroup, FlightGroup, NotesGroup, PlaceGroup } from "../FlightGroups";
import { Drawing } from "../FlightSketch";
import type { FlightValues } from "../flightForm";
import { type Change, changeOf, itemsOf, type Row, trackOf } from "./review";
import { imports as texts } from "./texts";

type DetailValues = FlightValues & { copter: string; equipments: string[] };

export function DetailsDialog({
  row,
  items,
  onDone,
  onClose,
}: {
  row: Row;
  items: Equipment[];
  onDone: (change: Change) => void;
  onClose: () => void;
}) {
  const form = useForm<DetailValues>({
    defaultValues: { ...row.values, copter: row.copter, equipments: row.equipments },
  });
  const [startTime, copter, equipments] = useWatch({
    control: form.control,
    name: ["startTime", "copter", "equipments"],
  });
  // The editor's fields don't know the equipment.
  const control = form.control as unknown as Control<FlightValues>;
  function choose(change: Partial<DetailValues>) {
    for (const [name, value] of Object.entries(change)) {
      form.setValue(name as keyof DetailValues, value, { shouldDirty: true });
    }
  }
  return (
    <Dialog title={texts.details} isOpen onClose={onClose} isBlocking={form.formState.isDirty} isWide>
      <DialogForm
        form={form}
        onSave={async (changed) => onDone(changeOf(row, changed))}
        onClose={onClose}
        submit={<SubmitButton>{texts.done}</SubmitButton>}
      >
        <Track proposal={row.proposal} />
        <PlaceGroup
          control={control}
          mode="edit"
          beside={<NumberField control={control} name="flightTime" label={flights.columns.flightTime} />}
        />
        {row.action === "create" && (
          <EquipmentSections
            itemsOf={(kind) => {
              const usable = itemsOf(kind, startTime, items);
              return kind === Kind.Copter ? byLastUse(usable, [copter]) : usable;
            }}
            copter={copter}
            equipments={equipments}
            onChange={choose}
            isInForm
          />
        )}
        <BatteryGroup control={control} mode="edit" equipments={equipments} />
        <FlightGroup control={control} mode="edit" hasTime={false} isOpen />
        <NotesGroup control={control} />
      </DialogForm>
    </Dialog>
  );
}

/** The track, so that the pilot recognises the flight. */
function Track({ proposal }: { proposal: Proposal }) {
  const track = trackOf(proposal);
  const [start, end] = [track[0], track.at(-1)];
  return start && end ? <Drawing start={start} end={end} track={track} /> : null;
}
