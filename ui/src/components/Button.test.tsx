// A button and the focus.
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Button } from "./Button";

test("A pressed button has the focus, also in a browser that gives it none", () => {
  render(<Button onPress={() => {}}>Speichern</Button>);
  const button = screen.getByRole("button", { name: "Speichern" });
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
});
