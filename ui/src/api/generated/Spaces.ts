// Written by hand until the types are generated.
export type Right = "read" | "use" | "maintain" | "manage";
export type SpaceKind = "household" | "club";
export type SpaceName = { dpfId: string; name: string };
export type OwnSpace = { dpfId: string; name: string; kind: SpaceKind; role: Right };
export type Space = { dpfId: string; name: string; kind: SpaceKind; role: Right; contact: string; created: string; members: number; managers: string[] };
export type SpaceMember = { dpfId: string; name: string; role: Right; since: string; nameShown: boolean; me: boolean };
export type SpaceInvitation = { dpfId: string; role: Right; made: string; expires: string; uses: number; usesLeft: number; by: string };
export type InvitationLink = { dpfId: string; link: string; img: string; expires: string };
export type SpaceToJoin = { name: string; kind: SpaceKind; role: Right; by: string; member: boolean; nameShown: boolean };
export type SharedUse = { start: string; minutes: number; name: string; own: boolean; flight: string | null; startVoltage: number | null; endVoltage: number | null; consumed: number | null; open: boolean };
export type AdminSpace = { name: string; kind: SpaceKind; members: number; items: number; usedBytes: number; managers: string[]; created: string };
