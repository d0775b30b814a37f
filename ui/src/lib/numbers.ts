// The rule of every number field, and the German display of numbers. Knows no units and no forms.

/**
 * Digits with one optional dot or comma, at most 9 before it and 20 after it; `,5` and `5,` count. As on the server.
 */
const numberPattern = /^(?=.*\d)\d{0,9}([.,]\d{0,20})?$/;

export function isNumberText(text: string): boolean {
  return numberPattern.test(text.trim());
}

/** The typed number, or null for anything else. */
export function parseNumber(text: string): number | null {
  return isNumberText(text) ? Number(text.trim().replace(",", ".")) : null;
}

/** "1.300" means 1,3 here, but 1300 in usual German notation. */
export function looksGrouped(text: string): boolean {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(text.trim());
}

/** The text of a number field: a comma, no thousands separator, "" for none. */
export function numberToInput(value: number | null): string {
  return value === null ? "" : String(value).replace(".", ",");
}

const display = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 });

/** For display: German separators, at most two decimals, "-" for none. */
export function formatNumber(value: number | null): string {
  return value === null ? "-" : display.format(value);
}

/** "3,85 V"; "-" for none. The space is non-breaking. */
export function formatQuantity(value: number | null, unit: string): string {
  return value === null ? "-" : `${display.format(value)}\u00a0${unit}`;
}

/** A mean is no more exact than its values: "1.124,92 mAh" becomes "1.125 mAh", "51,98 m" "52 m". Others stay. */
export function roundMean(text: string): string {
  const [, digits = "", unit = ""] = /^([\d.]+,\d+)(\s.*)$/.exec(text) ?? [];
  if (digits === "") return text;
  const value = Number(digits.replaceAll(".", "").replace(",", "."));
  const decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return new Intl.NumberFormat("de-DE", { maximumFractionDigits: decimals }).format(value) + unit;
}

/** "85 m", "1,2 km": as exact as a reader needs. */
export function formatLength(metres: number): string {
  return metres < 1000
    ? formatQuantity(metres, "m")
    : formatQuantity(Number((metres / 1000).toPrecision(2)), "km");
}

/** "45 min", "4,2 h": short, for the axis of a chart. */
export function formatHours(minutes: number): string {
  if (minutes < 60) return formatQuantity(minutes, "min");
  return formatQuantity(Math.round(minutes / 6) / 10, "h");
}

/** "12 min", "1 h 05 min"; without fractions of a minute. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes);
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  if (hours === 0) return `${rest}\u00a0min`;
  return `${display.format(hours)}\u00a0h ${String(rest).padStart(2, "0")}\u00a0min`;
}
