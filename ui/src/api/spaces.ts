// Spaces (households and clubs): reads them, and what a pilot may do with an item. Independent of screens.
import { useMutation } from "@tanstack/react-query";
import { keyOf, refresh, useAnswer } from "./answers";
import { cache } from "./cache";
import { type Answer, call, type Fields } from "./client";
import type { Equipment } from "./generated/Equipment";
import { startSession, useCachedUser } from "./session";

export type Space = Answer<"GetSpaces">[number];
export type Member = Answer<"GetMembers">[number];
export type InvitationLink = Answer<"SaveInvitation">;
export type OpenInvitation = Answer<"GetInvitations">[number];
export type Offer = Answer<"GetSpaceInvitation">;
export type SharedUse = Answer<"GetSharedUses">[number];

/** Codes of the roles. */
export const Role = { reader: 1, member: 2, keeper: 3, manager: 4 } as const;

/** The roles, the one that may do most first. */
export const roles = [Role.manager, Role.keeper, Role.member, Role.reader] as const;

const club = 2;

export function isClub({ kind }: Pick<Space, "kind">): boolean {
  return kind === club;
}

const noSpaces: readonly never[] = [];

/** The spaces of the pilot, from the session: known without network too. */
export function useOwnSpaces() {
  return useCachedUser()?.spaces ?? noSpaces;
}

export function useSpaces() {
  return useAnswer("GetSpaces", {});
}

export function useMembers(space: string) {
  return useAnswer("GetMembers", { space });
}

export function useInvitations(space: string, isWanted = true) {
  return useAnswer("GetInvitations", { space }, { enabled: isWanted });
}

/** Makes a link that invites into a space. The answer is the only one with the link. */
export function useInvite() {
  return useMutation({
    mutationFn: (fields: Fields<"SaveInvitation">) => call("SaveInvitation", fields),
    onSuccess: () => refresh("GetInvitations"),
  });
}

/** Room that the gear of a space needs, with its limit. */
export function useSpaceRoom(space: string) {
  return useAnswer("GetStorageUsage", { space }, { staleTime: 0 });
}

/** Whether an item is in the space by now: the packs of a set move together. */
export function isInSpace(dpfId: string, space: string): boolean {
  const all = cache.getQueryData<Answer<"GetAllEquipments">>(keyOf("GetAllEquipments", {}));
  const items = all ? Object.values(all).flat() : [];
  return items.some((item) => item.dpfId === dpfId && item.space?.dpfId === space);
}

/** What would move with an item. */
export function useMovePreview(dpfId: string) {
  return useAnswer("GetMovePreview", { dpfId }, { staleTime: 0 });
}

export function useSharedUses(dpfId: string, isWanted = true) {
  return useAnswer("GetSharedUses", { dpfId }, { enabled: isWanted });
}

/** Whether a role may add, edit and move equipment. */
export function isKeeper(role: number): boolean {
  return role >= Role.keeper;
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

/** Whether the pilot may print a label of an item: a new sticker needs the right to edit it. */
export function mayPrint(item: Pick<Equipment, "rights" | "sticker">): boolean {
  return item.sticker !== "" || mayKeep(item);
}

/** Whether the pilot may edit and delete an entry about an item. */
export function mayEdit(item: Owned, { mine = false }: { mine?: boolean }): boolean {
  return mine || mayKeep(item);
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
export function useRegisterByInvitation(token: string) {
  return useMutation({
    mutationFn: (fields: Omit<Fields<"RegisterByInvitation">, "token">) =>
      call("RegisterByInvitation", { token, ...fields }),
    onSuccess: (user, { rememberMe }) => startSession(user, { rememberMe: rememberMe === true }),
  });
}
