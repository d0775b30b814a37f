// Components that are loaded in the background, after the first screen.
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { whenLoaded } from "./deferred";

const patience = { timeout: 5_000 };

function First() {
  return <p>zuerst</p>;
}

function Second() {
  return <p>danach</p>;
}

test("What appears by itself appears in turn, whatever another load of it would take", async () => {
  const loads: string[] = [];
  const Early = whenLoaded(() => {
    loads.push("first");
    return loads.length === 1 ? Promise.resolve(First) : new Promise(() => {});
  });
  const Late = whenLoaded(async () => {
    loads.push("second");
    return Second;
  });
  render(
    <>
      <Early />
      <Late />
    </>,
  );
  await screen.findByText("danach", undefined, patience);
  screen.getByText("zuerst");
  expect(loads).toEqual(["first", "second"]);
});

test("A load that failed in the background is repeated where the component is shown", async () => {
  let loads = 0;
  const Repeated = whenLoaded(async () => {
    loads += 1;
    if (loads === 1) throw new Error("no network");
    return First;
  });
  render(<Repeated />);
  await screen.findByText("zuerst", undefined, patience);
  expect(loads).toBe(2);
});
