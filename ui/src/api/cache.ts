// The query cache with the rules of every call: a network failure is retried once, an answer 401 ends the session, and
// failed queries are refetched as soon as the server can be reached. The only key it has itself is the session's.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isNotLoggedIn, NetworkFailure } from "./client";
import type { SessionUser } from "./generated/SessionUser";
import { isReachable, onReachabilityChange } from "./reachability";

/** `user` is null when nobody is logged in; `leftOnPurpose` distinguishes a logout from a session that ended. */
export type Session = {
  user: SessionUser | null;
  leftOnPurpose: boolean;
  /** "Angemeldet bleiben" was chosen. */
  isRemembered?: boolean;
  /** Where the login of the proxy ends, if that has logged the user in. */
  logoutUrl?: string;
  /** When the server answered, in ms since 1970, if the session was restored from the snapshot. */
  knownAt?: number;
};

export const sessionKey = ["session"] as const;

/** The user's logout is under way. */
let isLeaving = false;

/** Makes a call by which the user ends the session; others that are refused meanwhile don't end it. */
export async function leave(call: () => Promise<unknown>): Promise<void> {
  isLeaving = true;
  await call().finally(() => {
    isLeaving = false;
  });
}

/** Ends the session on an answer 401; also for calls outside of the cache. */
export function endSessionOn401(error: unknown): void {
  if (isLeaving || !isNotLoggedIn(error)) return;
  cache.setQueryData<Session>(sessionKey, { user: null, leftOnPurpose: false });
}

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionOn401 }),
  mutationCache: new MutationCache({ onError: endSessionOn401 }),
  defaultOptions: {
    queries: {
      // The browser counts a LAN without internet as offline, which would pause every request.
      networkMode: "always",
      staleTime: 30_000,
      // Answers stay available without network.
      gcTime: Number.POSITIVE_INFINITY,
      retry: (failures, error) => failures < 1 && error instanceof NetworkFailure,
      retryDelay: 800,
    },
    mutations: { networkMode: "always", retry: false },
  },
});

onReachabilityChange(() => {
  if (isReachable()) {
    cache.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  }
});
