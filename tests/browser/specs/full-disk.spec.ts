// A full disk in the app: the error is shown, nothing is half stored, and everything typed is kept. A limit on file
// sizes simulates the full disk: the program gets both as an error of the same system call.

import { writeFile } from "node:fs/promises";
import { field, pick } from "../support/actions.ts";
import { addEquipment, createFlight, finishFlight, kind } from "../support/client.ts";
import { picture, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

// More than the database needs, less than the files below. In kilobytes.
const largestFile = 8 * 1024;
test.use({ wrap: ["bash", "-c", `trap '' XFSZ; ulimit -f ${largestFile}; exec "$0" "$@"`] });

const tooMuch = Buffer.alloc((largestFile + 1024) * 1024, "x");
const full = "Auf dem Server ist zu wenig Speicherplatz frei. Bitte wenden Sie sich an den Betreiber.";

test(
  "A document isn't kept, the dialog says why, and the rest goes on",
  { tag: "@desktop" },
  async ({ page, app, api, faults }, testInfo) => {
    faults.expectAnswer("UploadUserDocument", 503);
    // Whether the film was stored after all is queried without sending it again.
    faults.expectAnswer("UploadUserDocument", 400);
    const film = testInfo.outputPath("Film.mp4");
    await writeFile(film, tooMuch);
    await openAs(page, api, app, "myDocuments");
    await page.getByRole("button", { name: "Hochladen" }).click();
    const dialog = page.getByRole("dialog");
    await pick(page, "Datei auswählen", film);
    await field(page, "Beschreibung").fill("Rundflug");
    await dialog.getByRole("button", { name: "Hochladen" }).click();
    await expect(dialog.getByRole("alert")).toContainText(full);
    await expect(field(page, "Beschreibung")).toHaveValue("Rundflug");
    expect(JSON.parse(await api.call("GetUserDocuments"))).toEqual([]);

    await dialog.getByRole("button", { name: "Film.mp4 entfernen" }).click();
    await pick(page, "Datei auswählen", { name: "Notiz.txt", mimeType: "text/plain", buffer: Buffer.from("klein") });
    await dialog.getByRole("button", { name: "Hochladen" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText("Notiz.txt")).toBeVisible();
  },
);

test(
  "A picture isn't kept, and the dialog says why",
  { tag: "@desktop" },
  async ({ page, app, api, faults }, testInfo) => {
    faults.expectAnswer("UploadImageForFlight", 503);
    const flight = await createFlight(api, { copter: await addEquipment(api, kind.copter, "Nazgul F5") });
    await finishFlight(api, flight, {});
    await openAs(page, api, app, `flights/${flight}`);
    await page.getByRole("button", { name: "Bilder hochladen" }).click();
    const dialog = page.getByRole("dialog");
    const large = testInfo.outputPath("gross.png");
    await writeFile(large, Buffer.concat([picture(red), tooMuch]));
    await pick(page, "Aus Galerie wählen", large);
    await dialog.getByRole("button", { name: "Hochladen" }).click();
    const alert = dialog.getByRole("alert");
    await expect(alert.getByText("error", { exact: true })).toBeVisible();
    await expect(alert).toContainText(full);
    expect(JSON.parse(await api.call("GetFlight", { dpfId: flight })).images).toEqual([]);
  },
);
