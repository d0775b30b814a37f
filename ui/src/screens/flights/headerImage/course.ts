// The course of a flight: its path, and its values over time. Knows the calls, and no component.
import { useMemo } from "react";
import { useFlightProfile, useFlightTrack } from "../../../api/flights";
import type { FlightProfile } from "../../../api/generated/FlightProfile";
import { type Spot, spotsOf } from "../../../lib/flightPath";
import type { Coordinates } from "../../../lib/gps";
import { formatQuantity } from "../../../lib/numbers";
import { rangeOf } from "../../../lib/profile";
import type { course } from "./texts";

export type LaneName = keyof typeof course.values;

/** A value over time. */
export type Lane = {
  name: LaneName;
  values: (number | null)[];
  /** Range of the values, and the values at the drawing's ends. */
  range: [number, number];
  ends: [number, number];
};

export type Course = {
  /** Time of each row; empty if only the path is known. */
  seconds: number[];
  lanes: Lane[];
  /** Position of each row, or of each point of a path without times. */
  spots: (Spot | null)[];
  places: (Coordinates | null)[];
};

const units: Record<LaneName, { unit: string; decimals: number }> = {
  height: { unit: "m", decimals: 0 },
  speed: { unit: "km/h", decimals: 0 },
  voltage: { unit: "V", decimals: 1 },
  current: { unit: "A", decimals: 1 },
};

/** Formats "55 m", rounded for display. */
export function formatValue(name: LaneName, value: number | null): string {
  const { unit, decimals } = units[name];
  const factor = 10 ** decimals;
  // Adding zero turns -0 into 0.
  return formatQuantity(value === null ? null : Math.round(value * factor) / factor + 0, unit);
}

/** Returns the course of a flight; null while it is loading, and for a flight without path and values. */
export function useCourse(dpfId: string): { course: Course | null; isPending: boolean } {
  const track = useFlightTrack(dpfId);
  // A flight that wasn't imported has no profile.
  const isFromFile = track.data !== undefined && track.data.files.length > 0;
  const profile = useFlightProfile(dpfId, isFromFile);
  const isPending = track.isPending || (isFromFile && profile.isPending);
  const course = useMemo(
    () => (isPending ? null : courseOf(track.data?.points ?? [], profile.data)),
    [isPending, track.data, profile.data],
  );
  return { course, isPending };
}

/** Builds the course. `points`: a path without times, drawn if the profile has no path. */
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

/** Whether each row has a position on the path. */
export function isTogether({ seconds, spots }: Course): boolean {
  return seconds.length > 0 && seconds.length === spots.length;
}

function placeOf(point: number[] | null): Coordinates | null {
  const [latitude, longitude] = point ?? [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** Heights and speeds start at 0; a voltage would then be a flat line. */
function laneOf(name: LaneName, values: (number | null)[]): Lane | null {
  const range = rangeOf(values);
  if (range === null) return null;
  const ends: [number, number] = name === "voltage" ? range : [Math.min(0, range[0]), Math.max(0, range[1])];
  return { name, values, range, ends };
}

/** Returns the lane, if it is measured along the path and its values differ. */
export function laneIn(course: Course, name: Lane["name"]): Lane | undefined {
  const lane = isTogether(course) ? course.lanes.find((one) => one.name === name) : undefined;
  return lane && lane.range[1] > lane.range[0] ? lane : undefined;
}
