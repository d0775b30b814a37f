// Spaces (households and clubs): reads them, and what a pilot may do with an item. Independent of screens.
import { useMutation } from "@tanstack/react-query";
import { refresh, useAnswer } from "./answers";
import { type Answer, call, type Fields } from "./client";
import type { Equipment } from "./generated/Equipment";
import { refreshSession, startSession, useCachedUser } from "./session";

export type Space = Answer<"GetSpaces">[number];
export type Member = Answer<"GetMembers">[number];
export type OpenInvitation = Answer<"GetInvitations">[number];
export type Offer = Answer<"GetSpaceInvitation">;
export type SharedUse = Answer<"GetSharedUses">[number];
export type Role = Space["role"];

/** The roles, the one that may do most first. */
export const roles: readonly Role[] = ["manage", "maintain", "use", "read"];

const noSpaces: readonly never[] = [];

/** The spaces of the pilot, from the session: known without network too. */
export function useOwnSpaces() {
  return useCachedUser()?.spaces ?? noSpaces;
}

export function useSpaces() {
  return useAnswer("GetSpaces", {});
}

export function useMembers(dpfId: string) {
  return useAnswer("GetMembers", { dpfId });
}

export function useInvitations(dpfId: string, isWanted: boolean) {
  return useAnswer("GetInvitations", { dpfId }, { enabled: isWanted });
}

export function useSharedUses(dpfId: string) {
  return useAnswer("GetSharedUses", { dpfId });
}

/** Whether a role may add, edit and move equipment. */
export function isKeeper(role: Role): boolean {
  return role === "maintain" || role === "manage";
}

type Owned = Pick<Equipment, "rights">;

/** Whether the pilot may fly and charge an item, and add logs and readings to it. */
export function mayUse({ rights }: Owned): boolean {
  return rights !== "see";
}

/** Whether the pilot may edit, retire and move an item. */
export function mayKeep({ rights }: Owned): boolean {
  return rights === undefined || rights === "keep";
}

/** Refetches what a membership decides: the session and the spaces. */
export async function refreshSpaces(): Promise<void> {
  await Promise.all([refreshSession(), refresh("GetSpaces", "GetMembers", "GetInvitations")]);
}

/** What a link invites to; disabled once it is used. */
export function useOffer(token: string, { isUsed }: { isUsed: boolean }) {
  return useAnswer(
    "GetSpaceInvitation",
    { token },
    { enabled: !isUsed, staleTime: Number.POSITIVE_INFINITY },
  );
}

/** Makes an account from an invitation, and joins the space with it. */
export function useJoinSpace(token: string) {
  return useMutation({
    mutationFn: (fields: Omit<Fields<"JoinSpace">, "token">) => call("JoinSpace", { token, ...fields }),
    onSuccess: startSession,
  });
}
