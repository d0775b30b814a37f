// In the worker's place where the server has `offline = false`: removes what a worker has kept, and itself. A page that
// is open goes on, and is loaded anew from the server when it goes to its next screen (src/update.ts).
// It does so when it is installed: it is activated only once the worker before it is idle, which can take minutes.
self.addEventListener("install", (event) => {
  async function leave() {
    const names = (await caches.keys()).filter((name) => name.startsWith("fluglog-"));
    await Promise.all(names.map((name) => caches.delete(name)));
    // Answered after the installation.
    self.registration.unregister();
  }
  self.skipWaiting();
  event.waitUntil(leave());
});
