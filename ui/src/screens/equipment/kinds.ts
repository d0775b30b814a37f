// Differences between the five kinds of equipment: the fields of their forms and the figures on their cards. Pure
// functions: no React, no server.
import type { EquipmentFields } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { flownMinutes, priorText } from "../../components/prior/priorValues";
import { prior as priorTexts } from "../../components/prior/texts";
import { chargings } from "../../components/texts/chargings";
import { equipment as texts } from "../../components/texts/equipment";
import { formatMinutes, formatQuantity, numberToInput } from "../../lib/numbers";
import { general } from "../../texts";

const packFields = ["model", "name", "capacity", "weight", "purchaseDate"] as const;
const weighedFields = ["model", "name", "manufacturer", "weight", "purchaseDate"] as const;
const radioFields = ["model", "name", "manufacturer", "firmwareNumber", "purchaseDate"] as const;

const firstFields = {
  [Kind.Copter]: weighedFields,
  [Kind.Battery]: packFields,
  [Kind.Goggles]: radioFields,
  [Kind.Transmitter]: radioFields,
  [Kind.VideoCamera]: weighedFields,
} as const satisfies Record<Kind, readonly string[]>;

export type FieldName = (typeof firstFields)[Kind][number] | "seller" | "batteryType";

/** Field of the profile that the item's own form doesn't have. */
export type ProfileName = "number" | "chemistry" | "cells";

/** Values of the form; a field that the kind's form lacks stays "". */
export type EquipmentValues = Record<FieldName | ProfileName, string>;

/** Returns the fields that are always seen. The model comes first, because the name may be derived from it. */
export function firstFieldsOf(type: Kind): readonly FieldName[] {
  return firstFields[type];
}

/** Returns the fields that are folded at first. */
export function moreFieldsOf(type: Kind): readonly (FieldName | ProfileName)[] {
  return [...moreOwnFieldsOf(type), ...profileFieldsOf(type)];
}

function moreOwnFieldsOf(type: Kind): readonly FieldName[] {
  return type === Kind.Battery ? ["manufacturer", "seller", "batteryType"] : ["seller"];
}

function profileFieldsOf(type: Kind): readonly ProfileName[] {
  return type === Kind.Battery ? ["number", "cells", "chemistry"] : ["number"];
}

export const numberFields = ["weight", "capacity"] as const satisfies readonly FieldName[];

export const emptyValues: EquipmentValues = {
  model: "",
  name: "",
  manufacturer: "",
  seller: "",
  purchaseDate: "",
  weight: "",
  firmwareNumber: "",
  batteryType: "",
  capacity: "",
  number: "",
  chemistry: "",
  cells: "",
};

export function valuesOf(item: Equipment): EquipmentValues {
  const { model, name, manufacturer, seller, purchaseDate, firmwareNumber, batteryType } = item;
  return {
    ...{ model, name, manufacturer, seller, purchaseDate, firmwareNumber, batteryType },
    weight: numberToInput(item.weight),
    capacity: numberToInput(item.capacity),
    number: numberToInput(item.number),
    chemistry: numberToInput(item.chemistry),
    cells: item.cellsGuessed ? "" : numberToInput(item.cells),
  };
}

/**
 * Returns the fields to send: the kind's own fields as typed, and the kind. For an existing item (`before`) only the
 * name, which is always required, and the changed fields, so that concurrent changes of others are kept.
 */
export function fieldsToSave(type: Kind, values: EquipmentValues, before?: EquipmentValues): EquipmentFields {
  const own = [...firstFieldsOf(type), ...moreOwnFieldsOf(type)];
  const names = own.filter((name) => values[name] !== before?.[name]);
  const more = profileFieldsOf(type).filter((name) => values[name] !== (before?.[name] ?? ""));
  const profile = Object.fromEntries(
    more.filter((name) => name !== "number").map((name) => [name, values[name]]),
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
    ...(more.includes("number") && { number: values.number }),
    ...(Object.keys(profile).length > 0 && { profile }),
    name: values.name,
    type,
  };
}

/**
 * Returns "Akku 2" for "Akku 1"; "" if the name doesn't end in a number, because two items of one name are hard to tell
 * apart.
 */
export function nextName(name: string): string {
  const parts = /^(.*?)(\d{1,9})$/.exec(name.trim());
  if (!parts) return "";
  const [, before = "", number = ""] = parts;
  return before + String(Number(number) + 1).padStart(number.length, "0");
}

export type Figure = { label: string; value: string };

/** Returns the figures of an item, the most important first. `flown`: the minutes of its flights. */
export function figuresOf(item: Equipment, flown?: number): Figure[] {
  const labels = texts.figures;
  const usageTime = { label: labels.usageTime, value: formatMinutes(flownMinutes(item, flown)) };
  const lastFlight = { label: labels.lastFlight, value: item.lastFlight || general.empty };
  const weight = { label: labels.weight, value: formatQuantity(item.weight, "g") };
  const firmware = { label: labels.firmwareNumber, value: item.firmwareNumber || general.empty };
  const battery = [
    { label: labels.currentCharge, value: formatQuantity(item.currentCharge, "V") },
    { label: labels.endVoltage, value: formatQuantity(item.endVoltage, "V") },
    { label: labels.capacity, value: formatQuantity(item.capacity, "mAh") },
    { label: labels.chargeCount, value: String(item.chargeCount) },
    usageTime,
    { label: labels.lastChargeTime, value: item.lastChargeTime || general.empty },
    lastFlight,
  ];
  const byKind: Record<Kind, Figure[]> = {
    [Kind.Copter]: [usageTime, weight, lastFlight],
    [Kind.Battery]: battery,
    [Kind.Goggles]: [usageTime, firmware, lastFlight],
    [Kind.Transmitter]: [usageTime, firmware, lastFlight],
    [Kind.VideoCamera]: [usageTime, weight, lastFlight],
  };
  return byKind[item.type];
}

const { chargeCount, lastChargeTime } = texts.figures;
const ofPacks = [chargeCount, lastChargeTime];

/** Returns the figures for an item's row in a list; of a pack the voltage only if it tells its state. */
export function rowFiguresOf(item: Equipment): Figure[] {
  if (item.type !== Kind.Battery) return figuresOf(item);
  const voltage = { label: chargings.labels.voltage, value: formatQuantity(item.stateVoltage, "V") };
  return [voltage, ...figuresOf(item).filter(({ label }) => ofPacks.includes(label))];
}

/** Returns the figure of what an item had flown before Fluglog, which its other figures have in them. */
export function priorFiguresOf({ prior }: Equipment): Figure[] {
  return prior ? [{ label: priorTexts.figure, value: priorText(prior) }] : [];
}

/** Returns what distinguishes an item from others of its kind: "R-Line 6S 1300". */
export function aboutOf({ model, batteryType, manufacturer, name }: Equipment): string {
  return [model, batteryType, manufacturer].find((text) => text !== "" && text !== name) ?? "";
}

/** Returns the details on an item's page besides its figures: the filled-in fields of its form. */
export function detailsOf(item: Equipment): Figure[] {
  const labels = texts.fields;
  return [
    { label: labels.batteryType, value: item.batteryType },
    { label: labels.purchaseDate, value: item.purchaseDate },
    { label: labels.seller, value: item.seller },
    {
      label: texts.figures.weight,
      value: item.type === Kind.Battery ? formatQuantity(item.weight, "g") : "",
    },
  ].filter(({ value }) => value !== "" && value !== general.empty);
}
