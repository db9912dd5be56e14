// Keeps the pages, and the last answers of the owner's own reads, for times without a connection.
const shell = "shell-BUILD";
const answers = "answers";
// The build's files: under the empty name those of all languages, and the texts of each under its code.
const files = FILES;
const language = new URL(location.href).searchParams.get("language") ?? "en";

// Without skipWaiting(): if a worker is replaced while it loads a page, Chromium ends its request, and the page never
// comes. A new worker takes over once no page is open. Until then the old one serves what the new one has kept, too.
addEventListener("install", (event) => {
  event.waitUntil(caches.open(shell).then(
      (cache) => cache.addAll(["/my", "/display", ...files[""], ...files[language] ?? files.en])));
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
    if (url.pathname === "/display") event.respondWith(fetch(request).catch(() => caches.match("/display")));
    return;
  }
  // Not /v1/owners, which operators read: only what is the owner’s is kept.
  const isOwnRead =
      /^\/v1\/(owner|bikes|channels)(\/|$)/.test(url.pathname) && request.headers.get("Accept") === "application/json";
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
  const {title = "FindMyBike", body = "", url = "/my", tag, lang} = contents(event.data);
  const icon = "/assets/icon-192.png";
  event.waitUntil(registration.showNotification(title, {body, tag, lang, data: {url}, icon}));
});

/** A push's message; an empty one if it cannot be read. */
function contents(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.url ?? "/my";
  event.waitUntil((async () => {
    const open = (await clients.matchAll({type: "window"}))[0];
    // Some browsers do not let a worker navigate a page that it did not load.
    const page = await open?.navigate(path).catch(() => null);
    return page ? page.focus() : clients.openWindow(path);
  })());
});
