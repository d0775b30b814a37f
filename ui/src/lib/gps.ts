// Coordinates as people write and paste them: the first two numbers are latitude and longitude.

export type Coordinates = { latitude: number; longitude: number };

/** 11 cm on the ground; more would be printed with an exponent for small values. */
const decimals = 6;

/** A minus after a digit is a dash, not a sign. */
const withDot = /(?<!\d)[-−]?\d+(?:\.\d+)?|\d+(?:\.\d+)?/g;
const withComma = /(?<!\d)[-−]?\d+(?:,\d+)?|\d+(?:,\d+)?/g;

/** The first two numbers of a text, in range or not; null when there are fewer. */
export function firstTwoNumbers(text: string): Coordinates | null {
  // With a dot between digits a comma separates: "53.55,9.99". Otherwise the comma is the German decimal sign.
  const found = text.match(/\d\.\d/) ? text.match(withDot) : text.match(withComma);
  const [latitude, longitude] = (found ?? []).map((number) =>
    roundDegrees(Number(number.replace("−", "-").replace(",", "."))),
  );
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** Parses coordinates; null unless they are in range. */
export function parseCoordinates(text: string): Coordinates | null {
  const numbers = firstTwoNumbers(text);
  return numbers && isLatitude(numbers.latitude) && isLongitude(numbers.longitude) ? numbers : null;
}

export function isLatitude(degrees: number): boolean {
  return Math.abs(degrees) <= 90;
}

export function isLongitude(degrees: number): boolean {
  return Math.abs(degrees) <= 180;
}

/** Text that maps accept: "53.551086, 9.993682"; "" unless both are known. */
export function coordinatesToInput(latitude: number | null, longitude: number | null): string {
  return latitude === null || longitude === null
    ? ""
    : `${roundDegrees(latitude)}, ${roundDegrees(longitude)}`;
}

const display = new Intl.NumberFormat("de-DE", { maximumFractionDigits: decimals });

/** For display: "53,551086 · 9,993682". */
export function formatCoordinates({ latitude, longitude }: Coordinates): string {
  return `${display.format(latitude)} · ${display.format(longitude)}`;
}

function roundDegrees(degrees: number): number {
  const factor = 10 ** decimals;
  // Adding zero turns -0 into 0.
  return Math.round(degrees * factor) / factor + 0;
}

const earthRadiusMetres = 6_371_000;

/** Great-circle distance (haversine), in m. */
export function metresBetween(one: Coordinates, other: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [north, east] = [
    radians(other.latitude - one.latitude) / 2,
    radians(other.longitude - one.longitude) / 2,
  ];
  const scale = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude));
  const square = Math.sin(north) ** 2 + scale * Math.sin(east) ** 2;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Starts within this distance count as one place. */
const placeMetres = 400;

export function isSamePlace(one: Coordinates, other: Coordinates): boolean {
  return metresBetween(one, other) <= placeMetres;
}
