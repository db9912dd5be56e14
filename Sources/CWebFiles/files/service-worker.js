// Keeps the pages, and the last answers of the owner's own reads, for times without a connection.
const shell = "shell-BUILD";
const answers = "answers";
const files = /* the build's files */ FILES;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(["/my", ...files])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (name) => name !== shell && name !== answers;
  event.waitUntil(caches.keys()
                      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
                      .then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const {request} = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) return event.respondWith(fromCacheFirst(request));
  if (request.mode === "navigate") {
    if (url.pathname.startsWith("/my") || url.pathname === "/")
      event.respondWith(fetch(request).catch(() => caches.match("/my")));
    return;
  }
  const isOwnRead =
      /^\/v1\/(owner|bikes|channels)/.test(url.pathname) && request.headers.get("Accept") === "application/json";
  if (isOwnRead) event.respondWith(fromNetworkFirst(request));
});

async function fromCacheFirst(request) { return (await caches.match(request)) ?? fetch(request); }

/** The newest answer; without a connection the last one, marked as such. */
async function fromNetworkFirst(request) {
  const cache = await caches.open(answers);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request.url, response.clone());
    if (response.status === 401) await caches.delete(answers);
    if (response.status === 404) await cache.delete(request.url);
    return response;
  } catch (failure) {
    const kept = await cache.match(request.url);
    if (!kept) throw failure;
    const headers = new Headers(kept.headers);
    headers.set("X-Cached", "1");
    return new Response(kept.body, {status: kept.status, headers});
  }
}

addEventListener("push", (event) => {
  // Every push shows a notification: iPhones end a subscription after pushes without one.
  const message = event.data?.json() ?? {};
  const {title = "FindMyBike", body = "", url = "/my", tag} = message.notification ?? message;
  event.waitUntil(registration.showNotification(title, {body, tag, data: {url}, icon: "/assets/BUILD/icon-192.png"}));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? "/my", location.origin);
  event.waitUntil((async () => {
    const open = (await clients.matchAll({type: "window"}))[0];
    if (open) {
      await open.focus();
      return open.navigate(url.href);
    }
    return clients.openWindow(url.href);
  })());
});
