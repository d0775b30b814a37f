import { expect, test } from "vitest";
import { addImages } from "./imageChoice";

function image(name: string, size = 1000, type = "image/jpeg"): File {
  return { name, size, type } as File;
}

const five = [1, 2, 3, 4, 5].map((number) => image(`${number}.jpg`));

test("five pictures may be chosen, a sixth is left out", () => {
  const { chosen, problem } = addImages([], [...five, image("6.jpg")], 0);
  expect(chosen).toEqual(five);
  expect(problem).toBe("Maximal 5 Bilder erlaubt.");
});

test("pictures that the flight has already count", () => {
  const { chosen, problem } = addImages([], five, 3);
  expect(chosen).toEqual(five.slice(0, 2));
  expect(problem).toBe("Maximal 5 Bilder erlaubt.");
});

test("exactly 50 MB together are allowed, a byte more isn't", () => {
  const first = image("1.jpg", 52_428_799);
  expect(addImages([first], [image("2.jpg", 1)], 0).problem).toBeNull();
  const { chosen, problem } = addImages([first], [image("2.jpg", 2)], 0);
  expect(chosen).toEqual([first]);
  expect(problem).toBe("Gesamtgröße der Bilder darf 50MB nicht überschreiten.");
});

test("files of other kinds are left out, the others stay", () => {
  const good = image("1.webp", 1000, "image/webp");
  const { chosen, problem } = addImages([], [image("film.mp4", 1, "video/mp4"), good], 0);
  expect(chosen).toEqual([good]);
  expect(problem).toBe("Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.");
});
