// A measured figure, and the table of all of them. Knows nothing that is measured.

export interface Figure {
  name: string;
  value: number;
  /** The value must not be larger. A ratio where a time would depend on the machine. */
  limit: number;
  unit: string;
  note: string;
}

/** NaN, for a figure that couldn't be measured, exceeds every limit. */
export function isKept({ value, limit }: Figure): boolean {
  return value <= limit;
}

/** Rows of cells as columns; the first row is their head. */
export function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

export function table(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${short(figure.value)} ${figure.unit}`,
    `${figure.limit} ${figure.unit}`,
    isKept(figure) ? "ok" : "MISSED",
    figure.note,
  ]);
  return columns([["figure", "value", "limit", "", "note"], ...rows]);
}

/** Two digits after the point below ten, else one. */
export function short(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
