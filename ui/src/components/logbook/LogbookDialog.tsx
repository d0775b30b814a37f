// The dialog of a book: its period, what will be in it, and links to its files.
import { useState } from "react";
import { useAnswer } from "../../api/answers";
import type { LogbookPreview } from "../../api/generated/LogbookPreview";
import { useFlightMonths } from "../../api/statistics";
import { general } from "../../texts";
import { callUrl } from "../../urls";
import { Button, buttonClass } from "../Button";
import { Dialog, DialogActions, DialogBody } from "../Dialog";
import { Icon } from "../Icon";
import { ChoiceField } from "../listTools";
import { errorText, QueryView, Skeleton } from "../states";
import { logbook as texts } from "./texts";

type Order = { equipment?: string; from?: string; to?: string };

export function LogbookDialog({
  item,
  title,
  isOpen,
  onClose,
}: {
  item: string | undefined;
  title: string;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {isOpen && <Book item={item} onClose={onClose} />}
    </Dialog>
  );
}

function Book({ item, onClose }: { item: string | undefined; onClose: () => void }) {
  const [year, setYear] = useState("");
  const months = useFlightMonths(item).data ?? [];
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].reverse();
  const order: Order = {
    ...(item !== undefined && { equipment: item }),
    ...(year !== "" && { from: `01.01.${year}`, to: `31.12.${year}` }),
  };
  const query = useAnswer("GetLogbookPreview", order, { staleTime: 0 });
  return (
    <>
      <DialogBody>
        <div className="stack">
          {years.length > 1 && (
            <ChoiceField
              isWide
              label={texts.period}
              value={year}
              choices={[
                { value: "", text: texts.wholePeriod },
                ...years.map((value) => ({ value, text: value })),
              ]}
              onChange={setYear}
            />
          )}
          <QueryView
            query={query}
            failure={(error) => errorText(error, texts.failed)}
            skeleton={<Skeleton count={1} height={3} />}
          >
            {(preview) => <Facts preview={preview} />}
          </QueryView>
        </div>
      </DialogBody>
      <DialogActions>
        <Button variant="quiet" onPress={onClose}>
          {general.close}
        </Button>
        {query.data && (
          <>
            <a className={buttonClass("secondary")} href={fileUrl({ ...order, csv: "true" })} download>
              <Icon name="download" />
              <span>{texts.csv}</span>
            </a>
            <a className={buttonClass("primary")} href={fileUrl(order)} download>
              <Icon name="file-pdf" />
              <span>{texts.pdf}</span>
            </a>
          </>
        )}
      </DialogActions>
    </>
  );
}

function Facts({ preview }: { preview: LogbookPreview }) {
  const { flights, pages, time, carriedFlights, carriedTime, withoutTime, withoutLocation } = preview;
  const notes = [
    carriedFlights > 0 && texts.carried(carriedFlights, carriedTime),
    withoutTime > 0 && texts.withoutTime(withoutTime),
    withoutLocation > 0 && texts.withoutLocation(withoutLocation),
  ].filter((note) => note !== false);
  return (
    <>
      <p role="status">
        <strong>{texts.facts(flights, pages, time)}</strong>
      </p>
      {notes.length > 0 && <p>{notes.join(" ")}</p>}
      <p className="quiet">{texts.about}</p>
    </>
  );
}

/** Download of a book. */
function fileUrl(order: Record<string, string>): string {
  return `${callUrl("GetLogbook")}?${new URLSearchParams(order)}`;
}
