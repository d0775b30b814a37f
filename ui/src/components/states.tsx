// What a screen shows instead of its content: while loading, when there is nothing, when it failed.
// QueryView joins the three so that no screen can forget one. Knows nothing of any single query.
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, isNotLoggedIn } from "../api/client";
import { general } from "../texts";
import { Button } from "./Button";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { PageFrame } from "./Page";
import styles from "./states.module.css";

/** An error, read out at once. `onRetry` offers another try. */
export function ErrorNote({
  children,
  onRetry,
  retryText = general.retry,
}: {
  children: ReactNode;
  onRetry?: (() => unknown) | undefined;
  retryText?: string;
}) {
  return (
    <div className={`${styles.note} ${styles.error}`} role="alert">
      <Icon name="warning" />
      <p className={styles.text}>{children}</p>
      {onRetry && (
        <Button icon="retry" onPress={onRetry}>
          {retryText}
        </Button>
      )}
    </div>
  );
}

/** Something worth knowing that is no error; `action` is a button or link at its end. */
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

/** Grey blocks of the coming content's size, so that nothing jumps. `height` in rem. */
export function Skeleton({ count = 1, height = 6 }: { count?: number; height?: number }) {
  return (
    <div className={styles.skeletons} data-loading="" role="status" aria-label={general.loading}>
      {Array.from({ length: count }, (_, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are all alike and never move
        <div key={position} className={styles.skeleton} style={{ blockSize: `${height}rem` }} />
      ))}
    </div>
  );
}

/** `failure`: the sentence, or a function of the error for screens that tell a lost network from an answer. */
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
  // A 401 leads to the login in a moment: no error text flashes up before.
  if (query.error === null || isNotLoggedIn(query.error)) return skeleton;
  return (
    <ErrorNote onRetry={() => query.refetch()}>
      {typeof failure === "string" ? failure : failure(query.error)}
    </ErrorNote>
  );
}

/** The server's own sentence when it answered, else the given one. */
export function errorText(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.text !== "" ? error.text : otherwise;
}

/** A whole page's worth of grey while its code or the session check is under way. */
export function PageSkeleton() {
  return (
    <PageFrame>
      <Skeleton count={1} height={3} />
      <Skeleton count={3} height={7} />
    </PageFrame>
  );
}
