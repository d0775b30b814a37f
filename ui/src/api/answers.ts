// Cached answers, keyed by call and fields: `[name, fields]`. Independent of single calls.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useQueueState, withQueued } from "../offline/queueState";
import { cache } from "./cache";
import { type Answer, type Callable, call, type Fields } from "./client";
import { callWithFallback } from "./fallback";

type Options<Name extends Callable> = {
  enabled?: boolean;
  staleTime?: number;
  refetchOnWindowFocus?: "always";
  /** Returns the part of the answer that is used. */
  partOf?: (answer: Answer<Name>) => Answer<Name>;
};

export function keyOf<Name extends Callable>(name: Name, fields: Fields<Name>) {
  return [name, fields] as const;
}

/**
 * The query of one answer, for screens and for prefetching. A screen waits for a prefetch that is already running, so
 * a prefetch falls back to other cached answers, too, when the server is silent.
 */
export function queryOf<Name extends Callable>(name: Name, fields: Fields<Name>) {
  return {
    queryKey: keyOf(name, fields),
    queryFn: (): Promise<Answer<Name>> => callWithFallback(name, fields, () => call(name, fields)),
  };
}

/** The cached or fetched answer of a call, with queued writes applied. */
export function useAnswer<Name extends Callable>(
  name: Name,
  fields: Fields<Name>,
  { partOf = (answer) => answer, ...options }: Options<Name> = {},
): UseQueryResult<Answer<Name>> {
  const state = useQueueState();
  return useQuery<Answer<Name>>({
    ...queryOf(name, fields),
    select: (answer) => partOf(withQueued(name, fields, answer, state)),
    ...options,
  });
}

/** Invalidates all answers of these calls: those on screen are refetched now, others when they are shown. */
export async function refresh(...names: Callable[]): Promise<void> {
  const stale = new Set<unknown>(names);
  await cache.invalidateQueries({ predicate: ({ queryKey }) => stale.has(queryKey[0]) });
}

/** Invalidates one answer. */
export async function refreshOne<Name extends Callable>(name: Name, fields: Fields<Name>): Promise<void> {
  await cache.invalidateQueries({ queryKey: keyOf(name, fields), exact: true });
}

/** Stores an answer that came by another call. */
export function setCached<Name extends Callable>(
  name: Name,
  fields: Fields<Name>,
  answer: Answer<Name>,
): void {
  cache.setQueryData(keyOf(name, fields), answer);
}

/** Changes a cached answer and returns it; undefined when nothing is cached. */
export function updateCached<Name extends Callable>(
  name: Name,
  fields: Fields<Name>,
  changed: (answer: Answer<Name>) => Answer<Name>,
): Answer<Name> | undefined {
  return cache.setQueryData<Answer<Name>>(keyOf(name, fields), (answer) =>
    answer === undefined ? undefined : changed(answer as Answer<Name>),
  );
}

/** Changes all cached answers of a call. */
export function updateAllCached<Name extends Callable>(
  name: Name,
  changed: (answer: Answer<Name>, fields: Fields<Name>) => Answer<Name>,
): void {
  for (const [[, fields], answer] of cache.getQueriesData<Answer<Name>>({ queryKey: [name] })) {
    if (answer !== undefined)
      setCached(name, fields as Fields<Name>, changed(answer, fields as Fields<Name>));
  }
}
