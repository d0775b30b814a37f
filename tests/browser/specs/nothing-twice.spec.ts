// Nothing is created twice: after a lost answer a request has its effect once, whether it is sent again from the same
// form, after a reload or from a second tab. Two different requests have two effects.

import type { BrowserContext, Locator, Page } from "@playwright/test";
import { field, goFromRow, pick, pickFromMenu, submitLogin, toast, unfold } from "../support/actions.ts";
import { addEquipment, addFlight, type Client, createFlight, finishFlight, kind, logIn } from "../support/client.ts";
import type { LossyProxy } from "../support/lossy-proxy.ts";
import { endPause } from "../support/pauses.ts";
import { fluglog } from "../support/server.ts";
import { expect, openAs, test } from "../support/test.ts";

/** A form that creates an object: sent again after a lost answer, after a reload, and from a second tab. */
interface FormCase {
  call: string;
  /** Opens the form on its screen; `turn` makes each object different. */
  open: (page: Page, turn: number) => Promise<void>;
  fill: (page: Page, turn: number) => Promise<void>;
  /** Attaches a file, which no draft keeps. */
  attach?: (page: Page, turn: number) => Promise<void>;
  send: (page: Page) => Locator;
  done: (page: Page) => Promise<void>;
  /** Counts the objects of that turn. */
  count: (turn: number) => Promise<number>;
  /** Types a correction, and counts the objects that have it. */
  corrected?: { type: (page: Page, turn: number) => Promise<void>; count: (turn: number) => Promise<number> };
}

const turns = ["from the same form", "after a reload", "from a second tab"] as const;

type Connected = { page: Page; context: BrowserContext; lossyProxy: LossyProxy };

async function expectOnce(form: FormCase, { page, context, lossyProxy }: Connected) {
  /** Opens the form of a turn in the place where it is sent again. */
  async function opened(again: (typeof turns)[number], turn: number): Promise<Page> {
    if (again === "from the same form") return page;
    const other = again === "from a second tab" ? await context.newPage() : page;
    if (other === page) {
      await page.reload();
    } else {
      await other.bringToFront();
      await other.goto(page.url());
    }
    await form.open(other, turn);
    await form.attach?.(other, turn);
    return other;
  }

  /** Fills in and sends the form of a turn; the answer is lost. */
  async function sendUnanswered(turn: number): Promise<void> {
    await form.open(page, turn);
    await form.fill(page, turn);
    await form.attach?.(page, turn);
    lossyProxy.loseAnswers(`/app/api/${form.call}`);
    const lost = page.waitForEvent("requestfailed", (request) => request.url().endsWith(form.call));
    await form.send(page).click();
    await lost;
    await expect.poll(() => form.count(turn)).toBe(1);
    lossyProxy.restore();
  }

  for (const [turn, again] of turns.entries()) {
    await test.step(again, async () => {
      await sendUnanswered(turn);
      const other = await opened(again, turn);
      await form.send(other).click();
      await form.done(other);
      expect(await form.count(turn)).toBe(1);
      if (other !== page) await other.close();
    });
  }
  const { corrected } = form;
  if (!corrected) return;
  for (const [at, again] of turns.entries()) {
    await test.step(`corrected, ${again}`, async () => {
      const turn = turns.length + at;
      await page.reload();
      await sendUnanswered(turn);
      const other = await opened(again, turn);
      await corrected.type(other, turn);
      await form.send(other).click();
      await form.done(other);
      expect([await form.count(turn), await corrected.count(turn)]).toEqual([0, 1]);
      if (other !== page) await other.close();
    });
  }
}

const saved = (page: Page) => expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
/** The signs of queued writes. */
const waiting = (page: Page) => page.getByText(/^(wartet|1 Eintrag wartet\.|Kein Netz\. Alles wird gemerkt\.)/);
const kept = (page: Page) => expect(waiting(page).first()).toBeVisible();
/** Waits until all writes of a rendered page are sent. */
async function sent(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await endPause(page, "poll");
  await expect(waiting(page)).toHaveCount(0);
}
const closed = (page: Page) => expect(page.getByRole("dialog")).toHaveCount(0);
const dialogButton = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const text = (turn: number, about: string) => `${about} ${turn + 1}`;
const textFile = (turn: number) => ({
  name: `Rechnung ${turn + 1}.txt`,
  mimeType: "text/plain",
  buffer: Buffer.from("Propeller"),
});

test.describe("After a lost answer", { tag: "@desktop" }, () => {
  test.beforeEach(({ faults }) => faults.expectLostRequests());

  test("a new item that is sent again is created once", async ({ page, context, lossyProxy, api }) => {
    await openAs(page, api, lossyProxy, "home");
    await expectOnce(
      {
        call: "SaveNewEquipment",
        open: (on) => on.goto(`${lossyProxy.url}equipments/1/editor`).then(() => {}),
        fill: async (on, turn) => {
          await field(on, "Name").fill(text(turn, "Akku"));
          await field(on, "Kapazität (mA)").fill("1300,50");
        },
        send: (on) => on.getByRole("button", { name: "Speichern" }),
        done: saved,
        count: async (turn) => (await itemsOf(api)).filter((name) => name === text(turn, "Akku")).length,
        corrected: {
          type: (on, turn) => field(on, "Name").fill(text(turn, "Batterie")),
          count: async (turn) => (await itemsOf(api)).filter((name) => name === text(turn, "Batterie")).length,
        },
      },
      { page, context, lossyProxy },
    );
  });

  test("a charging that is sent again is started once, and the next is another", async ({ page, lossyProxy, api }) => {
    const battery = await addEquipment(api, kind.battery, "Akku 1");
    const chargings = async () => JSON.parse(await api.call("GetChargings", { battery })).chargings;
    const open = (name: string) => goFromRow(page, `Ladevorgang ${name}`, "Akku 1");
    const lose = async () => {
      await open("starten");
      await field(page, "Startspannung (V)").fill("21,6");
      lossyProxy.loseAnswers("/app/api/SaveCharging");
      await dialogButton(page, "Starten").click();
      await closed(page);
      await kept(page);
      lossyProxy.restore();
    };
    const finish = async () => {
      await open("beenden");
      await field(page, "Endspannung (V)").fill("25,2");
      await field(page, "Geladen (mA)").fill("900");
      await dialogButton(page, "Abschließen").click();
      await closed(page);
    };
    await openAs(page, api, lossyProxy, "equipments/1");
    await lose();
    await sent(page);
    expect(await chargings()).toHaveLength(1);
    await finish();

    await lose();
    await page.reload();
    await sent(page);
    expect(await chargings()).toHaveLength(2);
    await finish();
    await open("starten");
    await expect(field(page, "Startspannung (V)")).toHaveValue("25,2");
    await field(page, "Startspannung (V)").fill("21,8");
    await dialogButton(page, "Starten").click();
    await closed(page);
    const voltages = async () => (await chargings()).map(({ fromVoltage }: { fromVoltage: number }) => fromVoltage);
    await expect.poll(voltages).toEqual([21.8, 21.6, 21.6]);
  });

  test("a past flight that is sent again is added once", async ({ page, context, lossyProxy, api }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    await addFlight(api, { copter }, { startTime: "01.03.2026 09:00" });
    const count = async (notes: string) => {
      const rows: { dpfId: string }[] = JSON.parse(await api.call("GetFlights"));
      const flights = await Promise.all(rows.map(({ dpfId }) => api.call("GetFlight", { dpfId })));
      return flights.filter((flight) => JSON.parse(flight).notes === notes).length;
    };
    await openAs(page, api, lossyProxy, "home");
    for (const [turn, again] of turns.entries()) {
      await test.step(again, async () => {
        await page.goto(`${lossyProxy.url}flights/add`);
        await field(page, "Flugzeit (min)").fill("7");
        await unfold(page, "Notizen");
        await field(page, "Notizen").fill(text(turn, "Boig"));
        lossyProxy.loseAnswers("/app/api/AddFlight");
        await page.getByRole("button", { name: "Speichern", exact: true }).click();
        await expect(toast(page, "Gemerkt.")).toBeVisible();
        await expect.poll(() => count(text(turn, "Boig"))).toBe(1);
        await kept(page);
        lossyProxy.restore();
        if (again === "after a reload") await page.reload();
        const other = again === "from a second tab" ? await context.newPage() : page;
        if (other !== page) await other.goto(`${lossyProxy.url}flights`);
        await sent(other);
        expect(await count(text(turn, "Boig"))).toBe(1);
        if (other !== page) await other.close();
      });
    }
  });

  test("a log with a document that is sent again is written once", async ({ page, context, lossyProxy, api }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const count = async (info: string, file: string) =>
      JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter })).logs.filter(
        (log: { info: string; documentObj: { name: string } | null }) =>
          log.info === info && log.documentObj?.name === file,
      ).length;
    await openAs(page, api, lossyProxy, `equipments/0/logs/${copter}`);
    await expectOnce(
      {
        call: "SaveEquipmentLog",
        open: (on) => on.getByRole("button", { name: "Log erstellen" }).click(),
        fill: (on, turn) => on.getByRole("dialog").getByRole("textbox", { name: "Text" }).fill(text(turn, "Propeller")),
        attach: (on, turn) => pick(on, "Datei auswählen", textFile(turn)),
        send: (on) => dialogButton(on, "Speichern"),
        done: closed,
        count: (turn) => count(text(turn, "Propeller"), textFile(turn).name),
        corrected: {
          type: (on, turn) => on.getByRole("dialog").getByRole("textbox", { name: "Text" }).fill(text(turn, "Motor")),
          count: (turn) => count(text(turn, "Motor"), textFile(turn).name),
        },
      },
      { page, context, lossyProxy },
    );
  });

  test("a document that is sent again is uploaded once", async ({ page, context, lossyProxy, api }) => {
    const count = async (file: string, about: string) =>
      JSON.parse(await api.call("GetUserDocuments")).filter(
        ({ name, description }: { name: string; description: string }) => name === file && description === about,
      ).length;
    await openAs(page, api, lossyProxy, "myDocuments");
    await expectOnce(
      {
        call: "UploadUserDocument",
        open: (on) => on.getByRole("button", { name: "Hochladen" }).click(),
        fill: (on) => field(on, "Beschreibung").fill("Propeller"),
        attach: (on, turn) => pick(on, "Datei auswählen", textFile(turn)),
        send: (on) => dialogButton(on, "Hochladen"),
        done: closed,
        count: (turn) => count(textFile(turn).name, "Propeller"),
        corrected: {
          type: (on) => field(on, "Beschreibung").fill("Motor"),
          count: (turn) => count(textFile(turn).name, "Motor"),
        },
      },
      { page, context, lossyProxy },
    );
  });

  test("feedback that is sent again arrives once", async ({ page, context, lossyProxy, api, app }) => {
    await openAs(page, api, lossyProxy, "home");
    await expectOnce(
      {
        call: "SendFeedback",
        open: (on) => on.getByRole("banner").getByRole("button", { name: "Feedback" }).click(),
        fill: (on, turn) => field(on, "Nachricht").fill(text(turn, "Läuft gut.")),
        send: (on) => dialogButton(on, "Senden"),
        done: closed,
        count: async (turn) =>
          JSON.parse(await fluglog(["feedback", "list", "--json", "--data-dir", app.dataDir])).filter(
            ({ message }: { message: string }) => message === text(turn, "Läuft gut."),
          ).length,
      },
      { page, context, lossyProxy },
    );
  });

  test("a repeated start creates one flight, the next another", async ({ page, context, lossyProxy, api, faults }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const first = await createFlight(api, { copter });
    await finishFlight(api, first, { flightTime: 5 });
    const flights = async (): Promise<string[]> =>
      JSON.parse(await api.call("GetFlights")).map(({ dpfId }: { dpfId: string }) => dpfId);
    // The page may have learned by then that the flight runs, and open it.
    const start = (on: Page) => {
      const onward = on.getByRole("link", { name: "Flugdaten eintragen" });
      return on.getByRole("button", { name: "Weiter" }).or(onward).click();
    };
    const lose = async () => {
      lossyProxy.loseAnswers("/app/api/CreateFlight");
      await start(page);
      await expect(page).toHaveURL(/\/new$/);
      await kept(page);
    };
    const next = async () => {
      await finishFlight(api, (await flights())[0] ?? "", { flightTime: 5 });
      await page.goto(`${lossyProxy.url}flights/config`);
    };

    await openAs(page, api, lossyProxy, "flights/config");
    await lose();
    lossyProxy.restore();
    await sent(page);
    expect(await flights()).toHaveLength(2);

    await next();
    await start(page);
    await expect(page).toHaveURL(/\/new$/);
    expect(await flights()).toHaveLength(3);

    await next();
    await lose();
    lossyProxy.restore();
    await page.goto(`${lossyProxy.url}home`);
    await expect(page.getByRole("timer")).toBeVisible();
    await sent(page);
    await expect.poll(flights).toHaveLength(4);
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole("link", { name: "Fluglog beenden" }).click();
    await other.getByRole("button", { name: "Abschließen", exact: true }).click();
    await saved(other);
    await other.close();
    expect(await flights()).toHaveLength(4);

    // A flight that was deleted since isn't restored either.
    faults.expectAnswer("CreateFlight", 403);
    await page.goto(`${lossyProxy.url}flights/config`);
    await lose();
    await expect.poll(flights).toHaveLength(5);
    await api.call("DeleteFlight", { dpfId: (await flights())[0] ?? "" });
    lossyProxy.restore();
    await page.goto(`${lossyProxy.url}home`);
    await expect(page.getByText("1 Eintrag wartet auf Ihre Entscheidung.")).toBeVisible();
    expect(await flights()).toHaveLength(4);
  });

  test("a deletion can be sent again, and the list follows", async ({ page, lossyProxy, api }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const flight = await createFlight(api, { copter });
    await openAs(page, api, lossyProxy, "flights");
    await page
      .getByRole("link", { name: /Details|Nazgul|\d\d:\d\d/ })
      .first()
      .click();
    await expect(page).toHaveURL(new RegExp(`/flights/${flight}$`));
    const remove = async () => {
      await pickFromMenu(page, "Löschen");
      await page.getByRole("alertdialog").getByRole("button", { name: "Ja" }).click();
    };
    lossyProxy.loseAnswers("/app/api/DeleteFlight");
    await remove();
    await expect(page.getByRole("alert")).toBeVisible();
    lossyProxy.restore();
    await remove();
    await expect(page).toHaveURL(/\/flights$/);
    await expect(page.getByText("Keine Flüge vorhanden")).toBeVisible();
  });

  test("the end of a flight can be sent again, and the flight stays ended", async ({ page, lossyProxy, api }) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const flight = await createFlight(api, { copter });
    await openAs(page, api, lossyProxy, `flights/${flight}/finish`);
    await unfold(page, "Notizen");
    await field(page, "Notizen").fill("Böig");
    lossyProxy.loseAnswers("/app/api/SaveFlight");
    await page.getByRole("button", { name: "Abschließen" }).click();
    await expect(toast(page, "Gemerkt.")).toBeVisible();
    const flown = async () => JSON.parse(await api.call("GetFlight", { dpfId: flight }));
    await expect.poll(flown).toMatchObject({ open: false, notes: "Böig" });
    // Another device changes the flight: sending the edit again doesn't revert that.
    await api.call("SaveFlight", { flight: JSON.stringify({ dpfId: flight, notes: "Windstill" }), endFlight: "false" });
    await kept(page);
    lossyProxy.restore();
    await page.reload();
    await sent(page);
    expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({
      open: false,
      notes: "Windstill",
    });
  });
});

test("Two batteries that are alike can be made one after the other", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "equipments/1/editor");
  await page.getByText("Danach noch eine Batterie erfassen").click();
  await field(page, "Modell").fill("R-Line 1300");
  await field(page, "Name").focus();
  for (const count of [1, 2]) {
    if (count === 2) await field(page, "Name").fill("R-Line 1300");
    await expect(field(page, "Name")).toHaveValue("R-Line 1300");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect.poll(() => itemsOf(api)).toHaveLength(count);
    await expect(field(page, "Name")).toHaveValue("R-Line 1301");
  }
  expect(await itemsOf(api)).toEqual(["R-Line 1300", "R-Line 1300"]);
});

test("One draft in two tabs makes one item, and what is typed anew in the second another one", {
  tag: "@desktop",
}, async ({ page, app, api, context }) => {
  await openAs(page, api, app, "equipments/0/editor");
  await field(page, "Name").fill("Nazgul F5");
  const others = [await context.newPage(), await context.newPage()];
  for (const other of others) {
    await other.goto("equipments/0/editor");
    await expect(field(other, "Name")).toHaveValue("Nazgul F5");
  }
  await field(others[1] ?? page, "Name").fill("Avata 2");
  for (const tab of [page, ...others]) {
    await tab.getByRole("button", { name: "Speichern" }).click();
    await saved(tab);
  }
  expect((await itemsOf(api, 0)).sort()).toEqual(["Avata 2", "Nazgul F5"]);
});

test("A draft belongs to the account, even if another has the same nickname", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  const namesake = { ...pilot, email: "andere@example.org" };
  await app.addUser(namesake);
  const theirs = await logIn(app.origin, namesake.email, namesake.password);
  await openAs(page, api, app, "equipments/0/editor");
  await field(page, "Name").fill("Nazgul F5");
  await openAs(page, theirs, app, "equipments/0/editor");
  await expect(field(page, "Name")).toHaveValue("");
  // A logout removes the user's own drafts only.
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
  await page.goto("equipments/0/editor");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/editor$/);
  await expect(field(page, "Name")).toHaveValue("Nazgul F5");
});

async function itemsOf(api: Client, type: number = kind.battery): Promise<string[]> {
  const items = JSON.parse(await api.call("GetEquipments", { type: String(type), deactivated: "false" }));
  return items.map(({ name }: { name: string }) => name);
}
