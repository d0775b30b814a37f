import { chromium } from "@playwright/test";
import { launchOptions, germanBrowser, phone, desktop } from "./support/chromium.ts";
const url = "http://127.0.0.1:18201";
const r = await fetch(`${url}/app/api/Login`, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "email=demo%40example.org&password=fluglog-demo" });
const cookies = r.headers.getSetCookie().map((c) => { const [n, v] = c.split(";")[0].split("="); return { name: n, value: v, url }; });
const j = async (call: string, body = "") => (await fetch(`${url}/app/api/${call}`, { method: call.startsWith("GetAll") ? "GET" : "POST", headers: { cookie: cookies.map((c) => `${c.name}=${c.value}`).join("; "), "content-type": "application/x-www-form-urlencoded" }, ...(call.startsWith("GetAll") ? {} : { body }) })).json();
const all: any = await j("GetAllEquipments");
const flights: any[] = await j("GetFlights", "limit=60");
const items = Object.values(all).flat() as any[];
const copter = items.find((i) => i.type === 0 && i.usageTime > 0), pack = items.find((i) => i.type === 1);
const track = flights.find((f) => f.path && !f.firstImage) ?? flights[1], photo = flights.find((f) => f.firstImage) ?? flights[2];
console.log(Object.keys(flights[0]).join(), copter?.name, pack?.name);
const paths: Record<string, string> = { home: "home", flights: "flights", flight: `flights/${track.dpfId}`, photo: `flights/${photo.dpfId}`, packs: "equipments/1", pack: `equipments/1/${pack.dpfId}`, copter: `equipments/0/${copter.dpfId}`, copters: "equipments/0", review: "review", todo: "todo", profile: "myProfile", docs: "documents" };
const only = process.argv[3]?.split(",");
const browser = await chromium.launch(launchOptions);
for (const [look, dev, scheme] of [["p", phone, "light"], ["pd", phone, "dark"], ["d", desktop, "light"], ["dd", desktop, "dark"]] as const) {
  if (process.argv[2] && !process.argv[2].split(",").includes(look)) continue;
  const context = await browser.newContext({ ...germanBrowser, ...dev, colorScheme: scheme });
  await context.addInitScript(() => localStorage.setItem("cookie-consent", "true"));
  await context.addCookies(cookies);
  const page = await context.newPage();
  for (const [name, path] of Object.entries(paths)) {
    if (only && !only.includes(name)) continue;
    await page.goto(`${url}/app/${path}`);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/wt/me/${look}-${name}.png`, fullPage: process.argv[4] === "full" });
  }
  await context.close();
}
await browser.close();
