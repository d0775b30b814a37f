// GPS texts: formatting and parsing are inverse, with any decimal sign and any words around.
import fc from "fast-check";
import { expect, test } from "vitest";
import { coordinatesToInput, firstTwoNumbers, formatCoordinates, parseCoordinates } from "./gps";

const degrees = (most: number) =>
  fc.integer({ min: -most * 1e6, max: most * 1e6 }).map((millionths) => millionths / 1e6);
const places = fc.record({ latitude: degrees(90), longitude: degrees(180) });

test("a place comes back from its input text and from its display", () => {
  fc.assert(
    fc.property(places, (place) => {
      expect(parseCoordinates(coordinatesToInput(place.latitude, place.longitude))).toEqual({
        latitude: place.latitude + 0,
        longitude: place.longitude + 0,
      });
      expect(parseCoordinates(formatCoordinates(place))).toEqual({
        latitude: place.latitude + 0,
        longitude: place.longitude + 0,
      });
    }),
  );
});

test("words around the numbers don't matter, nor does text after the second number", () => {
  const word = fc.stringMatching(/^[A-Za-zäöü°:;/=&? ]{0,12}$/);
  fc.assert(
    fc.property(places, word, word, fc.string(), ({ latitude, longitude }, before, between, after) => {
      // With decimals, so that the decimal sign is unambiguous.
      const [first, second] = [latitude.toFixed(6), longitude.toFixed(6)];
      const text = `${before}${first}${between} ${second} ${after}`;
      expect(parseCoordinates(text)).toEqual({ latitude: latitude + 0, longitude: longitude + 0 });
    }),
  );
});

test("dot and comma mean the same", () => {
  fc.assert(
    fc.property(places, ({ latitude, longitude }) => {
      const dots = `${latitude.toFixed(6)} ${longitude.toFixed(6)}`;
      expect(parseCoordinates(dots.replaceAll(".", ","))).toEqual(parseCoordinates(dots));
    }),
  );
});

test("every parsed text is a place on earth that the server accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,-− °NE/") }), (text) => {
      const place = parseCoordinates(text);
      if (!place) return;
      expect(Math.abs(place.latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(place.longitude)).toBeLessThanOrEqual(180);
      for (const number of [place.latitude, place.longitude]) {
        expect(String(number)).toMatch(/^-?\d{1,3}(\.\d{1,6})?$/);
      }
    }),
  );
});

test.each([
  ["53.551086, 9.993682", 53.551086, 9.993682],
  ["53.551086,9.993682", 53.551086, 9.993682],
  ["53,551086, 9,993682", 53.551086, 9.993682],
  ["53,551086 9,993682", 53.551086, 9.993682],
  ["53,551086;9,993682", 53.551086, 9.993682],
  ["53,9.99", 53, 9.99],
  ["53.55° N, 9.99° E", 53.55, 9.99],
  ["geo:53.55,9.99?z=17", 53.55, 9.99],
  ["https://www.openstreetmap.org/?mlat=53.55&mlon=9.99#map=17/53.55/9.99", 53.55, 9.99],
  ["-33.86, -151.2", -33.86, -151.2],
  ["−33,86 / −151,2", -33.86, -151.2],
  ["53.5-9.9", 53.5, 9.9],
  ["53 9", 53, 9],
  ["0, 0", 0, 0],
  ["90 180", 90, 180],
  ["52.520006599999994 13.404953999999975", 52.520007, 13.404954],
])("%j is understood", (text, latitude, longitude) => {
  expect(parseCoordinates(text)).toEqual({ latitude, longitude });
});

test.each(["", " ", "53", "53,55", "53.55", "Hamburg", "N E", "91 0", "0 180,5", "-90.1, 0"])(
  "%j is no place",
  (text) => expect(parseCoordinates(text)).toBeNull(),
);

test("two numbers out of range differ from none at all", () => {
  expect(firstTwoNumbers("91 200")).toEqual({ latitude: 91, longitude: 200 });
  expect(firstTwoNumbers("91")).toBeNull();
});

test("half a place is shown as none", () => {
  expect(coordinatesToInput(53.5, null)).toBe("");
  expect(coordinatesToInput(null, 9.9)).toBe("");
});
