// The content of a book's dialog: its period, what will be in it, and links to its files.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAnswer } from "../../api/answers";
import { useEquipment } from "../../api/equipment";
import type { LogbookPreview } from "../../api/generated/LogbookPreview";
import { useFlightMonths } from "../../api/statistics";
import { parseDate } from "../../lib/dates";
import { general } from "../../texts";
import { callUrl } from "../../urls";
import { Button, buttonClass } from "../Button";
import { DialogActions, DialogBody } from "../Dialog";
import { DateField } from "../dateFields";
import { Icon } from "../Icon";
import { ChoiceField } from "../listTools";
import { errorText, QueryView, Skeleton } from "../states";
import { logbook as texts } from "./texts";

type Order = { equipment?: string; from?: string; to?: string };

/** The choice of a first and a last day instead of a year. */
const ownPeriod = "own";

export function LogbookChoice({ item, onClose }: { item: string | undefined; onClose: () => void }) {
  const [period, setPeriod] = useState("");
  const days = useForm({ defaultValues: { from: "", to: "" }, mode: "onBlur" });
  // An item's page has loaded it.
  const ofItem = useEquipment(item ?? "", item !== undefined).data;
  // Of a shared item the table has only what the pilot flew, which may be nothing.
  const hasFull = item === undefined || (ofItem !== undefined && ofItem.space === undefined);
  const months = useFlightMonths(item).data ?? [];
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].reverse();
  const given = days.watch();
  const order: Order = {
    ...(item !== undefined && { equipment: item }),
    ...(period === ownPeriod ? givenDays(given) : daysOfYear(period)),
  };
  const isPeriod = period !== ownPeriod || Object.values(given).every(isOpenOrDay);
  const query = useAnswer("GetLogbookPreview", order, { staleTime: 0, enabled: isPeriod });
  // The link stays while the answer is awaited, too: leaving a day's field by a press on the link must not remove it,
  // unless the day doesn't exist: then the book would be that of another period.
  const isPossible = isPeriod && !query.isError;
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
          {isPeriod && (
            <QueryView
              query={query}
              failure={(error) => errorText(error, texts.failed)}
              skeleton={<Skeleton count={1} height={3} />}
            >
              {(preview) => <Facts preview={preview} />}
            </QueryView>
          )}
          {isPossible && hasFull && (
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
        {isPossible && (
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
  const { flights, pages, time, withoutTime, withoutLocation } = preview;
  const notes = [
    ...carriedNotes(preview),
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

/** A day's field that is empty, or holds a day that exists; a day without its year is none. */
function isOpenOrDay(text: string): boolean {
  return text === "" || parseDate(text) !== null;
}

/** Days that are typed to their end; without one the period is open there. */
function givenDays({ from, to }: { from: string; to: string }): Order {
  return { ...(parseDate(from) && { from }), ...(parseDate(to) && { to }) };
}

/** What is carried over to the first page: flights before the chosen days, and those from before Fluglog. */
function carriedNotes({
  carriedFlights,
  carriedTime,
  priorFlights = 0,
  priorTime,
}: LogbookPreview): string[] {
  if (priorTime === undefined) return carriedFlights > 0 ? [texts.carried(carriedFlights, carriedTime)] : [];
  if (carriedFlights === priorFlights) return [texts.carriedPrior(priorFlights, priorTime)];
  return [texts.carried(carriedFlights, carriedTime), texts.prior(priorFlights, priorTime)];
}

/** Download of a book. */
function fileUrl(order: Record<string, string>): string {
  return `${callUrl("GetLogbook")}?${new URLSearchParams(order)}`;
}
