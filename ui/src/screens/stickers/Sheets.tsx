// The sheets of labels as they are printed, and their settings.
import { createPortal } from "react-dom";
import { useForm, useWatch } from "react-hook-form";
import { Link } from "react-router";
import { useAllEquipments } from "../../api/equipment";
import type { Label } from "../../api/generated/Label";
import { useDetailedUser } from "../../api/session";
import { Role, useSpaces } from "../../api/spaces";
import { itemsOf } from "../../api/stickers";
import { Button } from "../../components/Button";
import { NumberField, RadioChoice } from "../../components/fields";
import { ActionBar } from "../../components/Page";
import { InfoNote } from "../../components/states";
import { urls } from "../../urls";
import styles from "./Sheets.module.css";
import { formats, type Placed, pathOf, perSheet, type Size, sheetsOf } from "./sheet";
import { stickers } from "./texts";

const texts = stickers.labels;

type Values = { size: Size; first: string };

export function Sheets({ labels }: { labels: Label[] }) {
  const form = useForm<Values>({ defaultValues: { size: "small", first: "1" } });
  const { size, first } = useWatch({ control: form.control }) as Values;
  const contacts = useContacts(labels);
  const begin = Math.min(Math.max(1, Math.trunc(Number(first)) || 1), perSheet(size));
  const sheets = sheetsOf(
    labels,
    size,
    begin,
    (label) => contacts.find(({ of }) => of.includes(label))?.contact ?? "",
  );
  const [link = ""] = labels.map((label) => label.link);
  return (
    <>
      <form className={"card stack"} onSubmit={(event) => event.preventDefault()}>
        <RadioChoice
          control={form.control}
          name="size"
          label={texts.size}
          hint={texts.perSheet(perSheet(size))}
          choices={Object.entries(texts.sizes).map(([value, text]) => ({ value, text }))}
        />
        <NumberField control={form.control} name="first" label={texts.first} hint={texts.firstHint} />
        {contacts.map(({ owner, contact, change }) => (
          <p key={owner}>
            {texts.contact(owner)}:{" "}
            {contact === "" ? <span className="quiet">{texts.noContact}</span> : contact}{" "}
            {change && <Link to={change}>{texts.toContact}</Link>}
          </p>
        ))}
        <p className="quiet">{texts.leadsTo(new URL(link).origin)}</p>
      </form>
      <InfoNote icon="print">{texts.scale}</InfoNote>
      <div className={styles.preview}>
        <Pages sheets={sheets} size={size} hasEdges />
      </div>
      {createPortal(
        <div className={styles.printed} data-labels="">
          <Pages sheets={sheets} size={size} hasEdges={formats[size].isCut} />
        </div>,
        document.body,
      )}
      <ActionBar info={texts.chosen(labels.length)}>
        <Button variant="primary" icon="print" onPress={() => window.print()}>
          {texts.print}
        </Button>
      </ActionBar>
    </>
  );
}

type Contact = {
  /** The name of the space; "" for the pilot. */
  owner: string;
  contact: string;
  /** Where it is changed; null for who may not. */
  change: string | null;
  of: readonly Label[];
};

/** How finders reach the owners of the labels' items: the pilot, or a space. */
function useContacts(labels: readonly Label[]): Contact[] {
  const items = itemsOf(useAllEquipments().data);
  const own = useDetailedUser().data?.contact ?? "";
  const mine = useSpaces().data ?? [];
  const spaceOf = ({ dpfId }: Label) => items.find((item) => item.dpfId === dpfId)?.space?.dpfId;
  const all = [
    {
      ...{ owner: "", contact: own, change: urls.contact },
      of: labels.filter((label) => spaceOf(label) === undefined),
    },
    ...mine.map(({ dpfId, name, contact, role }) => ({
      ...{ owner: name, contact, change: role === Role.manager ? urls.space(dpfId) : null },
      of: labels.filter((label) => spaceOf(label) === dpfId),
    })),
  ];
  return all.filter(({ of }) => of.length > 0);
}

/** Settings. `hasEdges`: the label's edges are printed, for checking or cutting. */
type Look = { size: Size; hasEdges: boolean };

function Pages({ sheets, ...look }: Look & { sheets: Placed[][] }) {
  return sheets.map((placed, at) => (
    <Sheet
      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the page
      key={at}
      placed={placed}
      {...look}
      title={texts.sheet(at + 1, sheets.length)}
    />
  ));
}

/** An A4 page in millimetres. Black on white in every look, because paper is white. */
function Sheet({ placed, size, hasEdges, title }: Look & { placed: Placed[]; title: string }) {
  const { width, height } = formats[size];
  return (
    <svg className={styles.sheet} viewBox="0 0 210 297" role="img" aria-label={title}>
      <rect className={styles.paper} width="210" height="297" />
      {placed.map(({ label, x, y, code, texts: lines }) => (
        <g key={label.dpfId} transform={`translate(${x} ${y})`}>
          {hasEdges && <rect className={styles.edge} width={width} height={height} rx="1" />}
          <path
            className={styles.ink}
            d={pathOf(label.qr)}
            transform={`translate(${code.x} ${code.y}) scale(${code.side / label.qr.length})`}
          />
          {lines.map((line) => (
            <text
              key={`${line.x} ${line.y}`}
              className={styles.ink}
              x={line.x}
              y={line.y}
              fontSize={line.size}
              fontWeight={line.isBold ? 700 : 400}
            >
              {line.text}
            </text>
          ))}
        </g>
      ))}
    </svg>
  );
}
