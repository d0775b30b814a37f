// Files that another app shares, or that a web page posts as if one did.
import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withFakeServer } from "../../../api/fakeServer";
import { openInWindow, setServer, user } from "../../../test/openScreen";

withFakeServer();
afterEach(() => vi.unstubAllGlobals());

/** The service worker has stored a file. */
function share(name: string): void {
  const answer = new Response("Date,Time", { headers: { "X-Name": name } });
  const cache = { keys: async () => [name], match: async () => answer };
  const caches = { has: async () => true, open: async () => cache, delete: async () => true };
  vi.stubGlobal("caches", caches);
}

test("A shared file is sent only after a question", async () => {
  setServer({});
  share("Litchi.csv");
  const opened = vi.spyOn(XMLHttpRequest.prototype, "open");
  openInWindow("/flights/import");
  const question = await screen.findByRole("alertdialog", {
    name: "Wollen Sie die geteilten Dateien einlesen?",
  });
  expect(question.textContent).toContain("Litchi.csv");
  await user.press("Nein");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(opened).not.toHaveBeenCalled();
});
