// The rule of number fields, and the German display of numbers. Independent of units and forms.

/**
 * Digits with one optional dot or comma, at most 9 before it and 20 after it; `,5` and `5,` are numbers. The server's
 * rule.
 */
const numberPattern = /^(?=.*\d)\d{0,9}([.,]\d{0,20})?$/;

export function isNumberText(text: string): boolean {
  return numberPattern.test(text.trim());
}

/** Parses a typed number; null for anything else. */
export function parseNumber(text: string): number | null {
  return isNumberText(text) ? Number(text.trim().replace(",", ".")) : null;
}

/** Whether a number looks grouped: "1.300" is parsed as 1,3, but means 1300 in usual German notation. */
export function looksGrouped(text: string): boolean {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(text.trim());
}

/** Text of a number field: with a comma, without a thousands separator, "" for null. */
export function numberToInput(value: number | null): string {
  return value === null ? "" : String(value).replace(".", ",");
}

const display = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 });

/** Number for display: German separators, at most two decimals, "-" for null. */
export function formatNumber(value: number | null): string {
  return value === null ? "-" : display.format(value);
}

/** Number with a unit: "3,85 V"; "-" for null. The space is non-breaking. */
export function formatQuantity(value: number | null, unit: string): string {
  return value === null ? "-" : `${display.format(value)}\u00a0${unit}`;
}

/** Rounds a mean to the precision of its values: "1.124,92 mAh" to "1.125 mAh", "51,98 m" to "52 m". Others stay. */
export function roundMean(text: string): string {
  const [, digits = "", unit = ""] = /^([\d.]+,\d+)(\s.*)$/.exec(text) ?? [];
  if (digits === "") return text;
  const value = Number(digits.replaceAll(".", "").replace(",", "."));
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return new Intl.NumberFormat("de-DE", { maximumFractionDigits: decimals }).format(value) + unit;
}

/** Length with two significant digits from 1 km on: "85 m", "1,2 km". */
export function formatLength(metres: number): string {
  return metres < 1000
    ? formatQuantity(metres, "m")
    : formatQuantity(Number((metres / 1000).toPrecision(2)), "km");
}

/** The end of an axis up to this duration, in minutes and as text: "50 min", else whole hours as "5 h". */
export function endOfHours(minutes: number): { high: number; text: string } {
  const step = minutes <= 50 ? 10 : 60;
  const steps = Math.max(1, Math.ceil(minutes / step));
  return {
    high: steps * step,
    text: step === 60 ? formatQuantity(steps, "h") : formatQuantity(steps * step, "min"),
  };
}

/** Rounds a sum to whole minutes. The error of binary fractions (0.1 + 0.2) must not decide between two of them. */
function wholeMinutes(minutes: number): number {
  return Math.round(Math.round(minutes * 1e6) / 1e6);
}

/** Duration in hours and minutes: "30:42". */
export function hoursText(minutes: number): string {
  const whole = wholeMinutes(Math.abs(minutes));
  const hours = display.format(Math.floor(whole / 60));
  return `${hours}:${String(whole % 60).padStart(2, "0")}`;
}

/** Duration in whole minutes: "12 min", "1 h 05 min". */
export function formatMinutes(minutes: number): string {
  const whole = wholeMinutes(minutes);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  if (hours === 0) return `${rest}\u00a0min`;
  return `${display.format(hours)}\u00a0h ${String(rest).padStart(2, "0")}\u00a0min`;
}
