// Every value of a flight from a file, with the fields of the flight editor. Nothing is stored: the review keeps it.
import { type Control, useForm, useWatch } from "react-hook-form";
import type { Equipment } from "../../../api/generated/Equipment";
import { Kind } from "../../../api/generated/Kind";
import type { Proposal } from "../../../api/generated/Proposal";
import { kinds } from "../../../api/kinds";
import { Button } from "../../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../../components/Dialog";
import { Form, SubmitButton } from "../../../components/Form";
import { NumberField } from "../../../components/fields";
import { byUse } from "../../../components/start/readyFlight";
import { flights, general, imports as texts } from "../../../texts";
import { CopterSection, KindSection } from "../ChoiceSections";
import { BatteryGroup, FlightGroup, NotesGroup, PlaceGroup } from "../FlightEditor";
import { Drawing } from "../FlightSketch";
import type { FlightValues } from "../flightForm";
import styles from "./DetailsDialog.module.css";
import { type Change, changeOf, itemsOf, type Row, trackOf } from "./review";

export type DetailValues = FlightValues & { copter: string; equipments: string[] };

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
  const { copter, equipments, values } = row;
  const form = useForm<DetailValues>({ defaultValues: { ...values, copter, equipments } });
  const chosen = useWatch({ control: form.control, name: ["startTime", "copter", "equipments"] });
  // The fields of the editor know nothing of the equipment.
  const control = form.control as unknown as Control<FlightValues>;
  return (
    <Dialog title={texts.details} isOpen onClose={onClose} isBlocking isWide>
      <Form
        form={form}
        onSubmit={async (changed) => {
          onDone(changeOf(row, changed));
          onClose();
        }}
      >
        <DialogBody>
          <div className="stack">
            <Track proposal={row.proposal} />
            <PlaceGroup
              control={control}
              mode="edit"
              beside={<NumberField control={control} name="flightTime" label={flights.columns.flightTime} />}
            />
            {row.action === "create" && (
              <div className={styles.sections}>
                <CopterSection
                  items={byUse(itemsOf(Kind.Copter, chosen[0], items), [chosen[1]])}
                  chosen={chosen[1]}
                  onChange={(dpfId) => form.setValue("copter", dpfId, { shouldDirty: true })}
                  isInForm
                />
                {kinds
                  .filter((kind) => kind !== Kind.Copter)
                  .map((kind) => (
                    <KindSection
                      key={kind}
                      type={kind}
                      items={itemsOf(kind, chosen[0], items)}
                      chosen={chosen[2]}
                      onChange={(dpfIds) => form.setValue("equipments", dpfIds, { shouldDirty: true })}
                      isInForm
                    />
                  ))}
              </div>
            )}
            <BatteryGroup control={control} mode="edit" />
            <FlightGroup control={control} mode="edit" hasTime={false} />
            <NotesGroup control={control} />
          </div>
        </DialogBody>
        <DialogActions>
          <Button onPress={onClose}>{general.cancel}</Button>
          <SubmitButton>{texts.done}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Shows that it is the right flight. */
function Track({ proposal }: { proposal: Proposal }) {
  const track = trackOf(proposal);
  const [start, end] = [track[0], track.at(-1)];
  return start && end ? <Drawing start={start} end={end} track={track} /> : null;
}
