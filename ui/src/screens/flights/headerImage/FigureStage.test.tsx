import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FigureStage } from "./FigureStage";

test.each([
  [1200, 80],
  [20, 500],
  [null, 80],
])("Every word about a flight of %s m and a height of %s m is within its picture", (far, high) => {
  const { container } = render(<FigureStage far={far} high={high} />);
  const [, top = 0, , height = 0] =
    container.querySelector("svg")?.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
  const words = screen.getAllByText(/ (hoch|weit)$/);
  expect(words).not.toEqual([]);
  for (const word of words) {
    const baseline = Number(word.getAttribute("y"));
    expect(baseline - 16).toBeGreaterThanOrEqual(top);
    expect(baseline).toBeLessThanOrEqual(top + height);
  }
});
