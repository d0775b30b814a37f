// The look back: a period, a copter or a place is one choice, and what was chosen is asked and shown.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { callsOf } from "../../api/fakeServer";
import type { Review } from "../../api/generated/Review";
import { noReview } from "../../test/objects";
import { setServer, user } from "../../test/openScreen";
import { heading, open, press, withScreens } from "../../test/pages";

withScreens();

const years = [
  { year: 2024, flights: 1, minutes: 30 },
  { year: 2025, flights: 3, minutes: 42 },
];
const copters = { count: 1, most: [{ dpfId: "c1", name: "Nazgul F5", flights: 3, minutes: 60 }] };
const places = { count: 1, most: [{ dpfId: "o1", name: "Heide", flights: 2, minutes: 42 }] };
function review(fields: Partial<Review>): Review {
  return { ...noReview, years, places, copters, ...fields };
}

const spring = [{ day: "2024-05-02", flights: 1, minutes: 30 }];
const both = [...spring, { day: "2025-07-04", flights: 3, minutes: 42 }];

/** What the server knows of each choice. */
function reviewOf({ year, copter, place }: Record<string, string>): Review {
  if (copter === "c1") return review({ name: "Nazgul F5", flights: 3, minutes: 60, days: both });
  if (place === "o1") return review({ name: "Heide", flights: 2, minutes: 42, days: both });
  if (year === "2024") return review({ flights: 1, minutes: 30, days: spring });
  if (year === "2025") return review({ flights: 3, minutes: 42, days: both.slice(1) });
  return year ? review({}) : review({ flights: 4, minutes: 72, days: both });
}

async function openReview(query = "") {
  setServer({ known: { GetReview: reviewOf } });
  const page = await open(`review${query}`);
  await heading("Rückblick");
  return page;
}

const expectStage = (...texts: string[]) =>
  waitFor(() => {
    const stage = screen.getByRole("region", { name: "Stunden in der Luft" }).textContent;
    for (const text of texts) expect(stage).toContain(text);
  });
const lastAsked = () => Object.fromEntries(callsOf("GetReview").at(-1) ?? []);

test("The look back begins with the latest year, and a step or a choice leads to another one or to all time", async () => {
  const page = await openReview();
  await expectStage("0:42");
  expect((await screen.findByLabelText<HTMLSelectElement>("Zeitraum")).value).toBe("2025");
  await press("Früher");
  await expectStage("0:30");
  expect(lastAsked()).toEqual({ year: "2024" });
  await page.expectPath("review?jahr=2024");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Früher" }).disabled).toBe(true);
  await user.choose("Zeitraum", "Alle Jahre");
  await expectStage("1:12", "seit 2024");
  expect(lastAsked()).toEqual({});
  expect(screen.getAllByRole("img", { name: /^Kalender/ })).toHaveLength(2);
});

test("A copter and a place are looked back on alone, each by one choice", async () => {
  const page = await openReview("?jahr=alle");
  await expectStage("1:12");
  const copter = within(screen.getByRole("region", { name: "Copter" }));
  await user.press(copter.getByRole("link", { name: /Nazgul F5/ }));
  await expectStage("1:00");
  await page.expectPath("review?jahr=alle&copter=c1");
  expect((await screen.findByLabelText<HTMLSelectElement>("Flüge")).value).toBe("copter c1");
  await user.choose("Flüge", "Ort Heide");
  await expectStage("Heide", "0:42");
  await page.expectPath("review?jahr=alle&ort=o1");
});

test("A period without a flight says so, and leads to all of them", async () => {
  const page = await openReview("?jahr=2019");
  await screen.findByText("In diesem Zeitraum gibt es dazu keinen Flug.");
  expect(screen.queryByRole("button", { name: "Bild teilen" })).toBeNull();
  await user.press(within(screen.getByRole("main")).getByRole("link"));
  await page.expectPath("review?jahr=alle");
  await expectStage("1:12");
});
