// A page behind a one-time link. Removes the token from the address bar, where it could be read, copied or kept; a
// reload still has it.
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { ApiError } from "../../api/client";
import { useCachedUser } from "../../api/session";
import { ButtonLink } from "../../components/Button";
import { EntryPage } from "../../components/EntryPage";
import { ErrorNote } from "../../components/states";
import { urls } from "../../urls";
import { links } from "./texts";

export function LinkPage({ url, children }: { url: string; children: (token: string) => ReactNode }) {
  const { hash, state } = useLocation();
  if (hash !== "") return <Navigate to={url} replace state={{ token: hash.slice(1) }} />;
  const token = (state as { token?: string } | null)?.token ?? "";
  if (token === "") return <DeadLink title={links.incompleteTitle} text={links.incomplete} />;
  return children(token);
}

/** The page for a link that is used, expired or incomplete. */
export function DeadLink({ title, text }: { title: string; text: string }) {
  const isLoggedIn = useCachedUser() !== null;
  return (
    <EntryPage title={title}>
      <ErrorNote>{text}</ErrorNote>
      {isLoggedIn ? (
        <ButtonLink to={urls.home}>{links.toHome}</ButtonLink>
      ) : (
        <ButtonLink to={urls.login}>{links.toLogin}</ButtonLink>
      )}
    </EntryPage>
  );
}

export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 410;
}
