// Written by hand until the types are generated.
export type SpaceName = { dpfId: string; name: string };
export type OwnSpace = { dpfId: string; name: string; kind: number; role: number };
export type Space = { dpfId: string; name: string; kind: number; role: number; contact: string; created: string; members: number; items: number; nameShown: boolean };
export type SpaceMember = { dpfId: string; name: string; role: number; since: string; nameShown: boolean; own: boolean };
export type SpaceInvitation = { dpfId: string; role: number; by: string; made: string; ends: string; uses: number; usesLeft: number };
export type InvitationLink = { dpfId: string; link: string; img: string; ends: string };
export type SpaceToJoin = { name: string; kind: number; role: number; by: string; members: number; items: number; ends: string; space: string | null };
export type MovePreview = { uses: number; chargings: number; readings: number; logs: number; documents: number };
export type SharedUse = { dpfId: string; start: string; minutes: number; name: string; own: boolean; flight: string | null; startVoltage: number | null; endVoltage: number | null; consumed: number | null; open: boolean };
export type AdminSpace = { name: string; kind: number; members: number; items: number; managers: string[]; created: string; usedBytes: number; quotaBytes: number | null };
