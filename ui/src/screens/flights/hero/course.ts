// The course of a flight as its page draws it: the path, and the values over time. Knows the calls, and no component.
import { useMemo } from "react";
import { useFlightProfile, useFlightTrack } from "../../../api/flights";
import type { FlightProfile } from "../../../api/generated/FlightProfile";
import { type Spot, spotsOf } from "../../../lib/flightPath";
import type { Coordinates } from "../../../lib/gps";
import { formatQuantity } from "../../../lib/numbers";
import { rangeOf } from "../../../lib/profile";
import type { course } from "./texts";

export type LaneName = keyof typeof course.values;

/** One value over time. */
export type Lane = {
  name: LaneName;
  values: (number | null)[];
  /** The least and the greatest value, and what the drawing's ends stand for. */
  range: [number, number];
  ends: [number, number];
};

export type Course = {
  /** Of each row; empty when only the path is known. */
  seconds: number[];
  lanes: Lane[];
  /** Of each row, or of each point of a path without time. */
  spots: (Spot | null)[];
  places: (Coordinates | null)[];
};

const units: Record<LaneName, { unit: string; decimals: number }> = {
  height: { unit: "m", decimals: 0 },
  speed: { unit: "km/h", decimals: 0 },
  voltage: { unit: "V", decimals: 1 },
  current: { unit: "A", decimals: 1 },
};

/** "55 m", as exact as a reader needs. */
export function formatValue(name: LaneName, value: number | null): string {
  const { unit, decimals } = units[name];
  const factor = 10 ** decimals;
  // Adding zero turns -0 into 0.
  return formatQuantity(value === null ? null : Math.round(value * factor) / factor + 0, unit);
}

/** Null until it is known, and for a flight without path and values. */
export function useCourse(dpfId: string): { course: Course | null; isPending: boolean } {
  const track = useFlightTrack(dpfId);
  // A flight of no file has no profile.
  const isFromFile = track.data !== undefined && track.data.files.length > 0;
  const profile = useFlightProfile(dpfId, isFromFile);
  const isPending = track.isPending || (isFromFile && profile.isPending);
  const course = useMemo(
    () => (isPending ? null : courseOf(track.data?.points ?? [], profile.data)),
    [isPending, track.data, profile.data],
  );
  return { course, isPending };
}

/** `points`: of a path without time, drawn when the profile has no path. */
function courseOf(points: number[][], profile: FlightProfile | undefined): Course | null {
  const seconds = profile?.seconds ?? [];
  const lanes = (["height", "speed", "voltage", "current"] as const).flatMap((name) => {
    const lane = laneOf(name, profile?.[name] ?? []);
    return lane ? [lane] : [];
  });
  const timed = profile?.points.some((point) => point !== null) ? profile.points : null;
  const places = (timed ?? points).map(placeOf);
  const heights = timed ? lanes.find(({ name }) => name === "height")?.values : undefined;
  const spots = spotsOf(places, heights ?? []);
  const isTimed = seconds.length > 1 && lanes.length > 0;
  const hasPath = spots.filter((spot) => spot !== null).length > 1;
  if (!isTimed && !hasPath) return null;
  return {
    seconds: isTimed ? seconds : [],
    lanes: isTimed ? lanes : [],
    spots: hasPath ? spots : [],
    places: hasPath ? places : [],
  };
}

/** Whether each row has its spot on the path. */
export function isTogether({ seconds, spots }: Course): boolean {
  return seconds.length > 0 && seconds.length === spots.length;
}

function placeOf(point: number[] | null): Coordinates | null {
  const [latitude, longitude] = point ?? [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** Heights and speeds begin at 0; a voltage would be a flat line then. */
function laneOf(name: LaneName, values: (number | null)[]): Lane | null {
  const range = rangeOf(values);
  if (range === null) return null;
  const ends: [number, number] = name === "voltage" ? range : [Math.min(0, range[0]), Math.max(0, range[1])];
  return { name, values, range, ends };
}
