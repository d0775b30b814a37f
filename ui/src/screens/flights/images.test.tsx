// The pictures of a flight: what can be chosen, what is sent, and what is shown when an upload or a deletion fails.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import { flight } from "../../test/objects";
import { failNext, refused, setServer } from "../../test/openScreen";
import {
  expectAlert,
  expectNoDialog,
  fieldsOf,
  fileOf,
  held,
  ok,
  open,
  pick,
  press,
  withScreens,
} from "../../test/pages";

withScreens();

const jpeg = (name: string, size = 1000) => fileOf(name, size, "image/jpeg");
const dialog = () => within(screen.getByRole("dialog", { name: "Bilder hochladen" }));
const chosen = () =>
  dialog()
    .queryAllByRole("listitem")
    .map(({ textContent }) => textContent);
const send = () => dialog().getByRole<HTMLButtonElement>("button", { name: "Hochladen" });
const gallery = async () =>
  within(await screen.findByRole("list", { name: "Bilder" })).getAllByRole("button");

async function openFlight(...images: string[]) {
  setServer({ flights: [flight({ images })] });
  return open("flights/f1");
}

async function openUpload(...images: string[]) {
  await openFlight(...images);
  await press("Bilder hochladen");
  await screen.findByRole("dialog", { name: "Bilder hochladen" });
}

test("Only pictures can be picked, and a phone's camera can take one", async () => {
  await openUpload();
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type="file"]')];
  expect(inputs.map(({ accept }) => accept)).toEqual(
    Array.from({ length: 2 }, () => "image/jpeg,image/png,image/webp,image/gif"),
  );
  expect(inputs.map(({ multiple }) => multiple)).toEqual([true, false]);
  expect(inputs.map((input) => input.getAttribute("capture"))).toEqual([null, "environment"]);
  dialog().getByRole("button", { name: "Foto aufnehmen" });
  expect(send().disabled).toBe(true);
});

test("A flight takes at most five pictures, and with five there is no way to add more", async () => {
  await openUpload("i1", "i2", "i3");
  await pick("Aus Galerie wählen", jpeg("4.jpg"), jpeg("5.jpg"), jpeg("6.jpg"));
  await expectAlert("Maximal 5 Bilder erlaubt.");
  expect(chosen()).toEqual(["4.jpg0,1\u00a0MB", "5.jpg0,1\u00a0MB"]);
  const five = ["i1", "i2", "i3", "i4", "i5"];
  answers.UploadImageForFlight = [ok(five)];
  await press("Hochladen");
  await expectNoDialog();
  const [sent] = callsOf("UploadImageForFlight");
  expect(sent?.get("flight")).toBe("f1");
  expect(sent?.get("files")).toMatchObject({ name: "5.jpg" });
  expect(await gallery()).toHaveLength(5);
  expect(screen.queryByRole("button", { name: "Bilder hochladen" })).toBeNull();
});

test("Pictures of a flight have at most 50 MB in all", async () => {
  await openUpload();
  await pick("Aus Galerie wählen", jpeg("1.jpg", 30_000_000), jpeg("2.jpg", 30_000_000));
  await expectAlert("Gesamtgröße der Bilder darf 50MB nicht überschreiten.");
  expect(chosen()).toEqual(["1.jpg28,6\u00a0MB"]);
});

test("A refused upload shows the error with the server's sentence and keeps the choice", async () => {
  await openUpload();
  await pick("Aus Galerie wählen", jpeg("falsch.jpg"));
  failNext("UploadImageForFlight", refused(415, "Das ist kein Bild."));
  await press("Hochladen");
  await expectAlert("error Das ist kein Bild.");
  expect(chosen()).toHaveLength(1);
});

test("Abbrechen cancels an upload that is under way", async () => {
  await openUpload();
  await pick("Aus Galerie wählen", jpeg("rot.jpg"));
  const { answer, release } = held(ok(["i1"]));
  answers.UploadImageForFlight = [answer];
  await press("Hochladen");
  await dialog().findByRole("progressbar");
  await press("Abbrechen");
  await expectNoDialog();
  release();
  await press("Bilder hochladen");
  await screen.findByRole("dialog", { name: "Bilder hochladen" });
  expect(chosen()).toEqual([]);
  expect(screen.getByText("Noch keine Bilder.")).toBeTruthy();
});

test("The upload button can't be pressed twice", async () => {
  await openUpload();
  await pick("Aus Galerie wählen", jpeg("rot.jpg"));
  const { answer, release } = held(ok(["i1"]));
  answers.UploadImageForFlight = [answer];
  await press("Hochladen");
  await waitFor(() => expect(send().disabled).toBe(true));
  release();
  await expectNoDialog();
  expect(await gallery()).toHaveLength(1);
  expect(callsOf("UploadImageForFlight")).toHaveLength(1);
});

test("While the original is loading, the preview is there", async () => {
  await openFlight("i1");
  await press("Bild 1 von 1");
  const viewer = await screen.findByRole("dialog", { name: "Bild 1 von 1" });
  const sources = () => [...viewer.querySelectorAll("img")].map((image) => image.getAttribute("src"));
  const preview = expect.stringMatching(/GetImagePreview\?uuid=i1$/);
  const original = expect.stringMatching(/GetImage\?uuid=i1$/);
  expect(sources()).toEqual([preview, original]);
  fireEvent.load(within(viewer).getByRole("img", { name: "Bild 1 von 1" }));
  expect(sources()).toEqual([original]);
});

test("A picture is deleted after a question; after the last one the viewer closes", async () => {
  await openFlight("i1", "i2");
  await press("Bild 2 von 2");
  const shown = () => screen.getByRole("dialog").querySelector("img[alt^=Bild]")?.getAttribute("src");
  await screen.findByText("2/2");
  const ask = async () => {
    await press("Bild löschen");
    await screen.findByRole("alertdialog", { name: "Bild löschen?" });
  };
  await ask();
  await press("Nein");
  await expectNoDialog();
  expect(screen.getByText("2/2")).toBeTruthy();
  answers.DeleteImage = [refused(500, "Das ging nicht."), ok(["i1"]), ok([])];
  await ask();
  await press("Ja");
  await expectAlert("Bild konnte nicht gelöscht werden. Bitte versuchen Sie es erneut.");
  await ask();
  await press("Ja");
  await screen.findByText("1/1");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(shown()).toContain("i1");
  await ask();
  await press("Ja");
  await screen.findByText("Noch keine Bilder.");
  expect(screen.queryByText("1/1")).toBeNull();
  expect(fieldsOf("DeleteImage")).toEqual([
    { uuid: "i2", flight: "f1" },
    { uuid: "i2", flight: "f1" },
    { uuid: "i1", flight: "f1" },
  ]);
});
