// Calls a running server like the app does, without a browser: to add data before a test, and to measure. Knows the
// calls and their fields.

export interface Client {
  /** Returns the value of a `Cookie` header: the session of the logged-in user. */
  cookie(): string;
  /**
   * Posts a form to `/app/api/{name}`, with files as multipart, and returns the text of the body; throws unless the
   * status is a success.
   */
  call(name: string, fields?: Record<string, string> | FormData): Promise<string>;
}

/** Returns the client's session as a cookie for a browser context. */
export function sessionCookies(address: string, client: Client) {
  // For the whole site, like the server's cookie: a second one of that name with another path would never be removed.
  const url = new URL("/", address).href;
  return client
    .cookie()
    .split("; ")
    .map((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      return { name, value, url, httpOnly: true, sameSite: "Strict" as const };
    });
}

/** The kinds of equipment, by their code. */
export const kind = { copter: 0, battery: 1, goggles: 2, transmitter: 3, videoCamera: 4 } as const;

export async function logIn(origin: string, email: string, password: string): Promise<Client> {
  const client = clientWith(origin, "");
  await client.call("Login", { email, password });
  return client;
}

/** Returns a client with these cookies: the session of a pilot who has logged in before. */
export function clientWith(origin: string, cookies: string): Client {
  let cookie = cookies;
  return {
    cookie: () => cookie,
    async call(name, fields = {}) {
      const answer = await fetch(`${origin}/app/api/${name}`, {
        method: "POST",
        headers: { Origin: origin, Cookie: cookie },
        body: fields instanceof FormData ? fields : new URLSearchParams(fields),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${text}`);
      const set = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
      if (set.length > 0) cookie = set.join("; ");
      return text;
    },
  };
}

/** Adds an item and returns its dpfId. `fields` are those of its form. */
export async function addEquipment(
  client: Client,
  type: number,
  name: string,
  fields: Record<string, string | number> = {},
): Promise<string> {
  const saved = await client.call("SaveNewEquipment", { equipment: JSON.stringify({ type, name, ...fields }) });
  return JSON.parse(saved).dpfId;
}

/** Adds a document and returns its dpfId. */
export async function addDocument(
  client: Client,
  file: { name: string; content: string | Uint8Array<ArrayBuffer> },
  description = "",
): Promise<string> {
  const form = new FormData();
  form.set("file", new File([file.content], file.name));
  form.set("description", description);
  return JSON.parse(await client.call("UploadUserDocument", form)).dpfId;
}

/** Adds a log to an equipment item or a flight, by its dpfId. `time` is dd.MM.yyyy HH:mm. Returns the log's dpfId. */
export async function addLog(
  client: Client,
  of: "equipment" | "flight",
  dpfId: string,
  { info, time, file }: { info: string; time: string; file?: { name: string; content: string } },
): Promise<string> {
  const form = new FormData();
  form.set("dpfId", dpfId);
  form.set("info", info);
  form.set("time", time);
  if (file) form.set("file", new File([file.content], file.name));
  const call = of === "equipment" ? "SaveEquipmentLog" : "SaveFlightLog";
  return JSON.parse(await client.call(call, form)).dpfId;
}

export async function editLog(client: Client, dpfId: string, fields: { info: string; time: string }): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ dpfId, ...fields })) form.set(name, value);
  await client.call("EditLog", form);
}

/** Adds pictures to a flight and returns the uuids of all its pictures. */
export async function addImages(
  client: Client,
  flight: string,
  pictures: Uint8Array<ArrayBuffer>[],
): Promise<string[]> {
  const form = new FormData();
  form.set("flight", flight);
  for (const [position, picture] of pictures.entries()) form.append("files", new File([picture], `${position}.png`));
  return JSON.parse(await client.call("UploadImageForFlight", form));
}

export interface FlightConfig {
  copter: string;
  equipments?: string[];
  payloads?: { name: string; weight: number }[];
}

/** Opens a flight, like "Weiter" does, and returns its dpfId. */
export function createFlight(client: Client, config: FlightConfig): Promise<string> {
  return client.call("CreateFlight", { config: configOf(config) });
}

function configOf({ copter, equipments = [], payloads = [] }: FlightConfig): string {
  return JSON.stringify({ copter, equipments, payloads });
}

/** Ends the open flight, like "Abschließen" does, with these fields. */
export async function finishFlight(client: Client, dpfId: string, fields: Record<string, unknown>): Promise<void> {
  await client.call("SaveFlight", { flight: JSON.stringify({ dpfId, ...fields }), endFlight: "true" });
}

/** Adds a pack that was charged two hours ago, unless `charging` says otherwise, and returns its dpfId. */
export async function addChargedPack(
  client: Client,
  name: string,
  fields: Record<string, string | number>,
  charging = {},
): Promise<string> {
  const battery = await addEquipment(client, kind.battery, name, fields);
  const times = { chargeStartTime: ago(120), chargeEndTime: ago(60) };
  const values = { fromVoltage: "22.2", toVoltage: "25.2", charged: "1000" };
  await client.call("SaveCharging", { battery, ...times, ...values, ...charging });
  return battery;
}

/** Adds a past flight with these fields and returns its dpfId. */
export async function addFlight(client: Client, config: FlightConfig, fields: object): Promise<string> {
  const flight = JSON.stringify(fields);
  return JSON.parse(await client.call("AddFlight", { config: configOf(config), flight })).dpfId;
}

/**
 * Adds `count` finished flights, one every two hours up to now, in their order. Concurrently, so that they share a
 * sync.
 */
export async function addFlights(client: Client, count: number, config: FlightConfig): Promise<void> {
  const atOnce = 32;
  for (let left = count; left > 0; left -= atOnce) {
    const group = Array.from({ length: Math.min(atOnce, left) }, (_, position) => left - position);
    await Promise.all(group.map((back) => addEarlierFlight(client, back, config)));
  }
}

/** Adds the finished flight that began `back` times two hours ago. */
async function addEarlierFlight(client: Client, back: number, config: FlightConfig): Promise<void> {
  const twoHoursMs = 2 * 60 * 60 * 1000;
  await addFlight(client, config, {
    startTime: germanTime(new Date(Date.now() - back * twoHoursMs)),
    location: places[back % places.length],
    flightTime: 4 + (back % 17),
    distance: 0.5 + (back % 40) / 10,
    maximumDistance: 80 + (back % 400),
    maximumAltitude: 20 + (back % 100),
    speed: 25 + (back % 80),
    batteryStartVoltage: 16.8,
    batteryEndVoltage: 14.2,
    consumedCapacity: 700 + (back % 500),
  });
}

const places = [
  "Hamburg, Stadtpark",
  "Modellflugplatz Harsefeld",
  "Lüneburger Heide",
  "Steinbruch am Süntel",
  "Elbdeich",
];

/** Formats the time this many minutes ago. */
export function ago(minutes: number): string {
  return germanTime(new Date(Date.now() - minutes * 60_000));
}

/** Formats dd.MM.yyyy HH:mm in the server's time zone: an instant never falls into the hour that summer time skips. */
export function germanTime(time: Date): string {
  return germanClock.format(time).replace(",", "");
}

const germanClock = new Intl.DateTimeFormat("de-DE", {
  timeZone: "Europe/Berlin",
  dateStyle: "medium",
  timeStyle: "short",
});
