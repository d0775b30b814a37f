// States of a screen without content: loading, empty, failed. QueryView covers all three, so that no screen forgets
// one.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, isNotLoggedIn, NetworkFailure } from "../api/client";
import { isOffline } from "../api/session";
import { general } from "../texts";
import { Button } from "./Button";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { PageFrame } from "./Page";
import styles from "./states.module.css";

/** An error, announced at once; `onRetry` offers a retry. `isOffline`: it ends by itself once the server answers. */
export function ErrorNote({
  children,
  onRetry,
  retryText = general.retry,
  isOffline = false,
}: {
  children: ReactNode;
  onRetry?: (() => unknown) | undefined;
  retryText?: string;
  isOffline?: boolean;
}) {
  return (
    <div className={isOffline ? styles.note : `${styles.note} ${styles.error}`} role="alert">
      <Icon name={isOffline ? "offline" : "warning"} />
      <p className={styles.text}>{children}</p>
      {onRetry && (
        <Button icon="retry" onPress={onRetry}>
          {retryText}
        </Button>
      )}
    </div>
  );
}

/** A notice; `action` is a button or link at its end. */
export function InfoNote({
  icon = "info",
  children,
  action,
}: {
  icon?: IconName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.note} role="status">
      <Icon name={icon} />
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  );
}

export function EmptyState({
  icon,
  children,
  action,
}: {
  icon: IconName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={40} />
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Placeholders of the coming content's size, so that the layout doesn't jump. `height` is in rem. */
export function Skeleton({ count = 1, height = 6 }: { count?: number; height?: number }) {
  return (
    <div className="stack" data-loading="" role="status" aria-label={general.loading}>
      {Array.from({ length: count }, (_, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are all alike and never move
        <div key={position} className={styles.skeleton} style={{ blockSize: `${height}rem` }} />
      ))}
    </div>
  );
}

/**
 * Content of a query, or its state. `failure`: a sentence, or a function of the error for screens that distinguish a
 * lost network from a refusal.
 */
export function QueryView<Data>({
  query,
  failure,
  skeleton = <Skeleton count={3} />,
  children,
}: {
  query: Pick<UseQueryResult<Data>, "data" | "error"> & { refetch: () => Promise<unknown> };
  failure: string | ((error: Error) => string);
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  // A 401 redirects to the login in a moment: no error flashes up before.
  if (query.error === null || isNotLoggedIn(query.error)) return skeleton;
  // Comes by itself once the server is reachable.
  if (query.error instanceof NetworkFailure && isOffline()) {
    return (
      <p className="quiet" role="status">
        {general.offline}
      </p>
    );
  }
  return (
    <ErrorNote onRetry={() => query.refetch()} isOffline={query.error instanceof NetworkFailure}>
      {typeof failure === "string" ? failure : failure(query.error)}
    </ErrorNote>
  );
}

/** The server's sentence if it answered, else the given one. */
export function errorText(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.text !== "" ? error.text : otherwise;
}

/** Placeholder of a page while its code is loading or the session is checked. */
export function PageSkeleton() {
  return (
    <PageFrame>
      <Skeleton count={1} height={3} />
      <Skeleton count={3} height={7} />
    </PageFrame>
  );
}
