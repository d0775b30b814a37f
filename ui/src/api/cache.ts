// The one cache of the server's answers, with the rules for every call: a network failure is retried once, an answer
// 401 ends the session, and failed queries are repeated as soon as the server can be reached. Knows the session's key,
// no other.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isNotLoggedIn, NetworkFailure } from "./client";
import type { SessionUser } from "./generated/SessionUser";
import { isReachable, onReachabilityChange } from "./reachability";

/** `user` is null when nobody is logged in; `leftOnPurpose` distinguishes a logout from a session that ended. */
export type Session = {
  user: SessionUser | null;
  leftOnPurpose: boolean;
  /** "Angemeldet bleiben". */
  isRemembered?: boolean;
  /** When the server said it, in ms since 1970, if this page has it from this device. */
  knownAt?: number;
};

export const sessionKey = ["session"] as const;

/** Also for calls that don't go through the cache. */
export function endSessionOn401(error: unknown): void {
  if (isNotLoggedIn(error)) cache.setQueryData<Session>(sessionKey, { user: null, leftOnPurpose: false });
}

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionOn401 }),
  mutationCache: new MutationCache({ onError: endSessionOn401 }),
  defaultOptions: {
    queries: {
      // A LAN without internet counts as offline and would pause every request.
      networkMode: "always",
      staleTime: 30_000,
      // What was seen once can be seen again without network.
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
