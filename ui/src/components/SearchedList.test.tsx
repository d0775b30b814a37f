// The search of a list, which is part of its address.
import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, Outlet } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test, vi } from "vitest";
import { SearchedList } from "./SearchedList";

const rows = ["Falke", "Adler", "Spatz", "Habicht", "Milan", "Bussard", "Sperber", "Weihe"];

function Birds() {
  return (
    <SearchedList rows={rows} wordsOf={(row) => [row]}>
      {(found) => <p>{found.join(", ")}</p>}
    </SearchedList>
  );
}

function Nest() {
  return <p>Der nächste Schirm</p>;
}

test("A link followed right after typing leads to its screen, however long that takes to load", async () => {
  let arrive = () => {};
  const loaded = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const children = [
    { path: "/", Component: Birds },
    { path: "/next", lazy: () => loaded.then(() => ({ Component: Nest })) },
  ];
  const router = createMemoryRouter([{ Component: Outlet, children }]);
  render(<RouterProvider router={router} />);
  const field = await screen.findByLabelText("Suche");
  vi.useFakeTimers();
  fireEvent.change(field, { target: { value: "gibt es nicht" } });
  act(() => {
    router.navigate("/next");
  });
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  vi.useRealTimers();
  await act(async () => arrive());
  expect(await screen.findByText("Der nächste Schirm")).not.toBeNull();
  expect(router.state.location.pathname).toBe("/next");
});
