// The worker of the browser: keeps this version of the app, and answers with it, so that it opens without network.
// Only its own files, the opening of a screen and what other apps share; calls, downloads and the health check never
// pass through here. A new version waits until a page says that nothing is cut off (src/update.ts).

/** This version's digest, its script, and the paths of all its files; vite.config.ts writes them. */
const { version, script, files } = __SHELL__;

const prefix = "fluglog-app-";
const own = prefix + version;
/** Files that another app shares, until the page that reads them takes them (src/lib/sharedFiles.ts). */
const shared = "fluglog-shared";
const sharePath = "/app/flights/import";
/** The one page of all screens. */
const page = "/app/index.html";
const kept = new Set(files);

/** One after the other, so that a call of the pilot's never waits for all of them. */
async function keepFiles() {
  const cache = await caches.open(own);
  for (const file of files) {
    // The names of most say their content: those of the version before are the same.
    const known = file.startsWith("/app/assets/") && (await stored(file));
    await cache.put(file, known || (await asked(file)));
  }
}

async function asked(file) {
  const answer = await fetch(file, { cache: "no-cache" });
  // Replaced on the server meanwhile: its new worker is asked for with the next visit.
  const isFluglogs = answer.ok && answer.headers.has("X-Fluglog");
  const isOurs = isFluglogs && (file !== page || (await answer.clone().text()).includes(script));
  if (!isOurs) throw new Error(`${file} is of another version`);
  return answer;
}

function stored(file, options = {}) {
  return caches.match(file, { ignoreVary: true, ...options });
}

/** The version before stays for the tabs that still show it. */
async function forgetOldVersions() {
  const versions = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** The server answers these by itself, and whatever has the name of a file. */
function isScreen(path) {
  return path.startsWith("/app/") && !/^\/app\/(api|health|legal)(\/|$)|\.[^/]*$/.test(path);
}

async function opened(request) {
  return (await stored(page, { cacheName: own })) ?? fetch(request);
}

async function fileFor(request, path) {
  return (await stored(path, { cacheName: own })) ?? (await stored(path)) ?? fetch(request);
}

async function taken(request) {
  const files = (await request.formData()).getAll("files").filter((file) => file instanceof File);
  await caches.delete(shared);
  const cache = await caches.open(shared);
  for (const [at, file] of files.entries()) {
    const headers = { "Content-Type": file.type, "X-Name": encodeURIComponent(file.name) };
    await cache.put(`${sharePath}/${at}`, new Response(file, { headers }));
  }
  return Response.redirect(sharePath, 303);
}

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldVersions().then(() => self.clients.claim()));
});

self.addEventListener("message", ({ data }) => {
  if (data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && request.mode === "navigate" && pathname === sharePath) {
    // The share sheet has no referrer. A page of another site may hide its own, so that the screen asks nevertheless.
    const isForeign = request.referrer !== "" && new URL(request.referrer).origin !== origin;
    event.respondWith(isForeign ? Response.redirect(sharePath, 303) : taken(request));
  }
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    // This address shows what answers in the network, such as the login of a proxy (src/urls.ts).
    if (isScreen(pathname) && search !== "?network") event.respondWith(opened(request));
  } else if (kept.has(pathname) || pathname.startsWith("/app/assets/")) {
    event.respondWith(fileFor(request, pathname));
  }
});
