import {all, call, create, Problem} from "./api.js";
import {t} from "./text.js";

/** An iPhone's browser gives messages only to pages on the home screen. */
export function isOnIphoneInBrowser() {
  return /iPhone|iPad/.test(navigator.userAgent) && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * Whether this device gets messages now.
 *
 * @param {any[]} channels
 * @returns {Promise<"on" | "off" | "denied" | "unknown">}
 */
export async function pushState(channels) {
  if (!("PushManager" in globalThis) || !navigator.serviceWorker) return "unknown";
  if (Notification.permission === "denied") return "denied";
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && channels.some((channel) => channel.url === subscription.endpoint) ? "on" : "off";
}

/**
 * Turns messages on for this device. Fails with advice if the browser's push service does not answer in ten seconds.
 */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") throw new Problem(1, {detail: t.account.pushDenied});
  const {key} = await call("GET", "/v1/web-push/key");
  const registration = await navigator.serviceWorker.ready;
  const subscription =
      await within(10_000, registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key}));
  const {endpoint, keys} = subscription.toJSON();
  await create("/v1/channels", {kind: "webpush", url: endpoint, keys}, crypto.randomUUID());
}

/** Turns messages on this device off, so that another person's account can use it. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  if (!subscription) return;
  const channel = (await all("/v1/channels?limit=100")).find((channel) => channel.url === subscription.endpoint);
  await subscription.unsubscribe();
  if (channel) await call("DELETE", `/v1/channels/${channel.id}`).catch(() => {});
}

/**
 * @template Value
 * @param {number} milliseconds
 * @param {Promise<Value>} promise
 * @returns {Promise<Value>}
 */
function within(milliseconds, promise) {
  const advice = new Problem(1, {detail: t.account.pushFailed});
  return Promise.race([
    promise.catch(() => {
      throw advice;
    }),
    new Promise((_, refuse) => setTimeout(() => refuse(advice), milliseconds))
  ]);
}
