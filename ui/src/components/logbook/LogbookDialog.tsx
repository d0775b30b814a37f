// The dialog of a book: its period, what will be in it, and links to its files.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAnswer } from "../../api/answers";
import type { LogbookPreview } from "../../api/generated/LogbookPreview";
import { useFlightMonths } from "../../api/statistics";
import { parseDate } from "../../lib/dates";
import { general } from "../../texts";
import { callUrl } from "../../urls";
import { Button, buttonClass } from "../Button";
import { Dialog, DialogActions, DialogBody } from "../Dialog";
import { DateField } from "../dateFields";
import { Icon } from "../Icon";
import { ChoiceField } from "../listTools";
import { errorText, QueryView, Skeleton } from "../states";
import { logbook as texts } from "./texts";

type Order = { equipment?: string; from?: string; to?: string };

/** The choice of a first and a last day instead of a year. */
const ownPeriod = "own";

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
  const [period, setPeriod] = useState("");
  const days = useForm({ defaultValues: { from: "", to: "" }, mode: "onBlur" });
  const months = useFlightMonths(item).data ?? [];
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].reverse();
  const order: Order = {
    ...(item !== undefined && { equipment: item }),
    ...(period === ownPeriod ? givenDays(days.watch()) : daysOfYear(period)),
  };
  const query = useAnswer("GetLogbookPreview", order, { staleTime: 0 });
  return (
    <>
      <DialogBody>
        <div className="stack">
          <ChoiceField
            isWide
            label={texts.period}
            value={period}
            choices={[
              { value: "", text: texts.wholePeriod },
              ...years.map((value) => ({ value, text: value })),
              { value: ownPeriod, text: texts.ownPeriod },
            ]}
            onChange={setPeriod}
          />
          {period === ownPeriod && (
            <>
              <DateField control={days.control} name="from" label={texts.from} />
              <DateField control={days.control} name="to" label={texts.to} />
            </>
          )}
          <QueryView
            query={query}
            failure={(error) => errorText(error, texts.failed)}
            skeleton={<Skeleton count={1} height={3} />}
          >
            {(preview) => <Facts preview={preview} />}
          </QueryView>
          {query.data && (
            <p className="quiet">
              {texts.fullAbout}{" "}
              <a href={fileUrl({ ...order, full: "true" })} download>
                {texts.full}
              </a>
            </p>
          )}
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
    preview.priorTime !== undefined && texts.prior(preview.priorFlights ?? 0, preview.priorTime),
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

function daysOfYear(year: string): Order {
  return year === "" ? {} : { from: `01.01.${year}`, to: `31.12.${year}` };
}

/** Days that are typed to their end; without one the period is open there. */
function givenDays({ from, to }: { from: string; to: string }): Order {
  return { ...(parseDate(from) && { from }), ...(parseDate(to) && { to }) };
}

/** Download of a book. */
function fileUrl(order: Record<string, string>): string {
  return `${callUrl("GetLogbook")}?${new URLSearchParams(order)}`;
}
