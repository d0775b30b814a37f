// In the worker's place where the server has `offline = false`: removes what a worker has kept, and itself. A page that
// is open goes on, and is loaded anew from the server when it goes to its next screen (src/update.ts).
self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  async function leave() {
    const names = (await caches.keys()).filter((name) => name.startsWith("fluglog-"));
    await Promise.all(names.map((name) => caches.delete(name)));
    await self.registration.unregister();
  }
  event.waitUntil(leave());
});
