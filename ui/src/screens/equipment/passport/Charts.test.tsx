import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { CapacityChart } from "./Charts";

test("Every point of a pack's capacity is a dot within the chart", () => {
  const capacity = [0, 40, 80].map((cycles) => ({ cycles, day: cycles, percent: 100 - cycles / 8 }));
  const trend = { cycles: 80, capacity, percent: 90, line: null, forecast: "" };
  const { container } = render(<CapacityChart trend={trend} />);
  const [, , width = 0, height = 0] =
    container.querySelector("svg")?.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
  const dots = [...container.querySelectorAll("circle")];
  expect(dots).toHaveLength(capacity.length);
  for (const dot of dots) {
    const [x = 0, y = 0, radius = 0] = ["cx", "cy", "r"].map((name) => Number(dot.getAttribute(name)));
    expect(Math.min(x, y, width - x, height - y)).toBeGreaterThan(radius);
  }
});
