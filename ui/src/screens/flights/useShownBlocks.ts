// Which blocks of a list are rendered. A short list is rendered as a whole, for searching in the page, reading aloud
// and printing. Of a long list only the blocks in sight are; the heights of those seen before keep the scroll position,
// while scrolling and on Back.
import type { Virtualizer } from "@tanstack/virtual-core";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import { loadDeferred } from "../../components/deferred";
import { type Block, withSpare } from "./blocks";
import type { Group } from "./days";

type Core = typeof import("@tanstack/virtual-core");
type List = Virtualizer<Window, HTMLElement>;

/** Heights in px by block key. */
type Heights = List["itemSizeCache"];

/** Props that the table and the cards share. */
export type ListProps = {
  groups: Group[];
  hasMore: boolean;
  isPrinting: boolean;
  /** The flight that was opened last. */
  current: string | null;
  /** The flight that gets the focus wherever it is in the list. */
  focused: string | null;
  /** Flights that show their equipment; the rows add and remove themselves. */
  opened: Set<string>;
  /** Query of the list's address, which links to flights keep. */
  view: string;
};

/** Number of flights in a list that is rendered as a whole. Rendering more takes a slow phone a noticeable pause. */
const maxAtOnce = 30;

export type ShownBlock = {
  block: Block;
  /** Height in px of the blocks left out above it. */
  gap: number;
  /** Props for the element whose height is measured. */
  measured: { ref?: (element: HTMLElement | null) => void; "data-index": number };
};

/** Scroll position and heights of the list that was left last, by its history entry. */
let lastList: { key: string; offset: number; heights: Heights } = { key: "", offset: 0, heights: new Map() };

/** Loaded later, because no first screen needs it. */
let core: Core | undefined;
const loadVirtualCore = loadDeferred(async () => {
  core = await import("@tanstack/virtual-core");
});

export function useShownBlocks({
  list,
  blocks,
  isPrinting,
  pinned,
  estimate,
}: {
  list: RefObject<HTMLElement | null>;
  blocks: Block[];
  isPrinting: boolean;
  /** dpfId of a flight that is rendered wherever it is. */
  pinned: string | null;
  /** Estimates the height in px of a block that hasn't been rendered yet. */
  estimate: (block: Block, before: Block | undefined) => number;
}): {
  shown: ShownBlock[];
  /** Whether blocks are left out. */
  isPart: boolean;
  /** Height in px of the blocks left out at the end. */
  after: number;
} {
  const last = blocks.at(-1);
  const isLong = last !== undefined && last.place + last.rows.length > maxAtOnce;
  const isPart = isLong && !isPrinting;
  const { virtualizer, top, measure } = useVirtualizer(list, blocks, isLong, {
    estimateSize: (index) => {
      const block = blocks[index];
      return block ? estimate(block, blocks[index - 1]) : 0;
    },
    rangeExtractor: ({ startIndex, endIndex }) =>
      withSpare(blocks, startIndex, endIndex, [
        focusedIn(list.current),
        pinned === null ? -1 : blocks.findIndex(({ rows }) => rows.some(({ dpfId }) => dpfId === pinned)),
      ]),
  });

  if (!isPart) return { shown: blocks.map(whole), isPart, after: 0 };
  if (!virtualizer) {
    const ends: number[] = [];
    for (const [index, block] of blocks.entries())
      ends.push((ends[index - 1] ?? 0) + estimate(block, blocks[index - 1]));
    const first = blocks.filter((_, index) => index === 0 || (ends[index - 1] ?? 0) < window.innerHeight);
    const shownHeight = ends[first.length - 1] ?? 0;
    return { shown: first.map(whole), isPart, after: (ends.at(-1) ?? 0) - shownHeight };
  }
  let end = top;
  const shown: ShownBlock[] = [];
  for (const { index, start, end: next } of virtualizer.getVirtualItems()) {
    const block = blocks[index];
    if (!block) continue;
    shown.push({ block, gap: Math.max(0, start - end), measured: { ref: measure, "data-index": index } });
    end = next;
  }
  return { shown, isPart, after: Math.max(0, top + virtualizer.getTotalSize() - end) };
}

/** Returns the library's list, null until it is loaded and needed, and the px above its first block. */
function useVirtualizer(
  list: RefObject<HTMLElement | null>,
  blocks: Block[],
  isLong: boolean,
  rules: Pick<Required<List["options"]>, "estimateSize" | "rangeExtractor">,
) {
  const { key } = useLocation();
  const [top, setTop] = useState(0);
  const [virtualizer, setVirtualizer] = useState<List | null>(null);
  const rerender = useReducer((count: number) => count + 1, 0)[1];
  const isMeasuring = useRef(false);
  const getItemKey = useCallback((index: number) => blocks[index]?.key ?? index, [blocks]);
  const options = core && {
    ...rules,
    enabled: isLong,
    count: blocks.length,
    getItemKey,
    getScrollElement: (): Window => window,
    observeElementRect: core.observeWindowRect,
    observeElementOffset: core.observeWindowOffset,
    scrollToFn: core.windowScroll,
    // On Back the window isn't scrolled yet.
    initialOffset: () => (lastList.key === key ? lastList.offset : window.scrollY),
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollMargin: top,
    measureElement: heightOf,
    onChange: (_: List, isUrgent: boolean) => {
      // A corrected scroll position has to be rendered before the browser paints.
      if (isUrgent && !isMeasuring.current) flushSync(rerender);
      else rerender();
    },
  };
  if (isLong && core && options && !virtualizer) {
    const created: List = new core.Virtualizer(options);
    // A list that has just become long starts with the measured heights of its rows.
    const known = lastList.key === key ? lastList.heights : heightsIn(list.current, blocks);
    for (const [block, height] of known) created.itemSizeCache.set(block, height);
    setVirtualizer(created);
  }
  if (options) virtualizer?.setOptions(options);

  useEffect(() => {
    if (isLong && !core) loadVirtualCore().then(rerender, () => {});
  }, [isLong]);
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    if (isLong && list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    virtualizer?._willUpdate();
  });
  useEffect(() => {
    if (!virtualizer) return;
    return () => {
      lastList = { key, offset: virtualizer.scrollOffset ?? 0, heights: virtualizer.itemSizeCache };
    };
  }, [key, virtualizer]);
  const measure = useCallback(
    (element: HTMLElement | null) => {
      isMeasuring.current = true;
      virtualizer?.measureElement(element);
      isMeasuring.current = false;
    },
    [virtualizer],
  );
  return { virtualizer, top, measure };
}

function whole(block: Block, index: number): ShownBlock {
  return { block, gap: 0, measured: { "data-index": index } };
}

function heightsIn(list: HTMLElement | null, blocks: Block[]): Heights {
  const rendered = list?.querySelectorAll<HTMLElement>("[data-index]") ?? [];
  return new Map(
    [...rendered].map((element, index) => [blocks[index]?.key ?? index, heightOf(element, undefined)]),
  );
}

/** Returns the height in fractions of a pixel: rounded, hundreds of rows would be off by a line. */
function heightOf(element: HTMLElement, entry: ResizeObserverEntry | undefined): number {
  return entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height;
}

/** Returns the index of the block with the focus. The block stays rendered, or the focus would be lost. */
function focusedIn(list: HTMLElement | null): number {
  const focused = document.activeElement;
  if (!focused || !list?.contains(focused)) return -1;
  return Number(focused.closest("[data-index]")?.getAttribute("data-index") ?? -1);
}
