// Groups the flights of a list into blocks, each rendered or left out as a whole. Pure functions: no React, no server.
import type { FlightRow } from "../../api/generated/FlightRow";
import type { Day, Group } from "./days";

/** Consecutive flights of one day, or of a list in another order. */
export type Block = {
  key: string;
  day: Day | null;
  /** Whether the block is the first of its day and shows the day's heading. */
  isFirst: boolean;
  rows: FlightRow[];
  /** Number of flights before it. */
  place: number;
  /** Number of days up to and including its own. */
  days: number;
};

/** Splits groups into blocks of at most `most` flights. */
export function blocksOf(groups: Group[], most: number): Block[] {
  const blocks: Block[] = [];
  let place = 0;
  let days = 0;
  for (const { day, rows } of groups) {
    if (day) days += 1;
    for (let at = 0; at < rows.length; at += most) {
      const part = rows.slice(at, at + most);
      const key = part[0]?.dpfId ?? "";
      blocks.push({ key, day, isFirst: at === 0, rows: part, place: place + at, days });
    }
    place += rows.length;
  }
  return blocks;
}

/** Number of extra flights rendered around the visible ones, for a quick swipe. */
const spareRows = 10;

/**
 * Returns the indices of the blocks to render: those from `first` to `last`, a few around them, and those in `kept` (-1
 * for none) with their neighbours, so that the Tab key works across them.
 */
export function withSpare(blocks: Block[], first: number, last: number, pinned: number[]): number[] {
  const spare = (from: number, step: 1 | -1) => {
    let [index, rows] = [from, 0];
    while (blocks[index + step] && rows < spareRows) {
      index += step;
      rows += blocks[index]?.rows.length ?? 0;
    }
    return index;
  };
  const there = pinned.filter((index) => index !== -1);
  const indexes = new Set(there.flatMap((index) => [index - 1, index, index + 1]));
  for (let index = spare(first, -1); index <= spare(last, 1); index += 1) indexes.add(index);
  return [...indexes].filter((index) => blocks[index]).sort((one, other) => one - other);
}
