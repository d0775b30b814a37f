// What a pilot is asked about a list that can be read in two ways, and what is sent.
import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { withFakeServer } from "../../../api/fakeServer";
import type { Import } from "../../../api/generated/Import";
import type { ImportFile } from "../../../api/generated/ImportFile";
import { openScreen, sent, user } from "../../../test/openScreen";
import { urls } from "../../../urls";

withFakeServer();

const list: ImportFile = {
  name: "Liste.csv",
  size: "1 kB",
  format: "csv",
  message: "Bitte sagen, wie die Spalten gemeint sind.",
  surplus: 0,
  columns: [
    { name: "Datum", examples: ["3.4."], guess: "date", unit: "", decimal: "" },
    { name: "Flugzeit", examples: ["0:45", "7:30"], guess: "flightTime", unit: "", decimal: "" },
  ],
  separator: ";",
  decimal: ",",
  dateOrder: "dmy",
  year: null,
  questions: [
    {
      member: "units",
      column: 1,
      text: "Was heißt „0:45“ in der Spalte „Flugzeit“?",
      ways: [
        {
          value: "mm:ss",
          text: "Minuten und Sekunden",
          examples: [{ cell: "7:30", read: "7,5 min" }],
        },
        { value: "h:mm", text: "Stunden und Minuten", examples: [{ cell: "7:30", read: "450 min" }] },
      ],
    },
    {
      member: "year",
      column: 0,
      text: "Aus welchem Jahr ist „3.4.“ in der Spalte „Datum“?",
      ways: [2026, 2025, 2024, 2023].map((year) => ({
        value: `${year}`,
        text: `${year}`,
        examples: [{ cell: "3.4.", read: `03.04.${year}` }],
      })),
    },
  ],
};

/** A sheet whose columns have to be chosen. */
const packs: ImportFile = { ...list, name: "Akkus: Flugbuch.xlsx", questions: [] };

const found = (...files: ImportFile[]): Import => ({
  dpfId: "i1",
  time: "04.04.2026 10:00",
  files,
  proposals: [],
  newItems: [],
  belongings: [],
  omitted: [],
});

test("a list is read as the pilot answers, with examples of each way", async () => {
  const answered = found({ ...list, questions: [], message: "Keine Flüge gefunden." });
  const known = () => (sent("MapImportColumns").length > 0 ? answered : found(list));
  await openScreen(urls.import("i1"), { known: { GetImport: known, MapImportColumns: answered } });
  expect(await screen.findByText("7:30 → 450 min")).toBeTruthy();
  expect(screen.getByText("Noch nicht ausgewertet")).toBeTruthy();
  expect(screen.getByText(/Überschriften, nur das Jahr nicht\./)).toBeTruthy();
  expect(screen.getByText("3.4. → 03.04.2026")).toBeTruthy();
  await user.press("Auswerten");
  expect(await screen.findByText("Bitte jede Frage beantworten.")).toBeTruthy();
  expect(sent("MapImportColumns")).toEqual([]);

  fireEvent.click(screen.getByRole("radio", { name: /Minuten und Sekunden/ }));
  fireEvent.change(screen.getByRole("combobox", { name: "Jahr" }), { target: { value: "2025" } });
  expect(await screen.findByText("3.4. → 03.04.2025")).toBeTruthy();
  await user.press("Auswerten");
  await screen.findByText(/Keine Flüge gefunden/);
  expect(sent("MapImportColumns")).toEqual([
    expect.objectContaining({
      dpfId: "i1",
      mapping: {
        columns: { 0: "date", 1: "flightTime" },
        units: { 1: "mm:ss" },
        separator: ";",
        decimal: ",",
        dateOrder: "dmy",
        year: 2025,
      },
    }),
  ]);
});

test("a sheet with a question goes before one whose columns are unknown", async () => {
  await openScreen(urls.import("i1"), { known: { GetImport: found(packs, list) } });
  expect(await screen.findByText("7:30 → 450 min")).toBeTruthy();
});

test("a year that is asked for each list isn't said to be remembered", async () => {
  const [, year] = list.questions;
  const asked = found({ ...list, questions: year ? [year] : [] });
  await openScreen(urls.import("i1"), { known: { GetImport: asked } });
  expect(await screen.findByText("3.4. → 03.04.2026")).toBeTruthy();
  expect(screen.queryByText(/Fluglog merkt es sich/)).toBeNull();
});
