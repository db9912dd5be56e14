import {all, call, create, Problem} from "./api.js";
import {t} from "./text.js";

/** An iPhone's browser gives messages only to pages on the home screen. */
export function isOnIphoneInBrowser() {
  return /iPhone|iPad/.test(navigator.userAgent) && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * Whether messages can be turned on for this device.
 *
 * @returns {"possible" | "denied" | "unsupported"}
 */
export function pushState() {
  if (!("PushManager" in globalThis) || !navigator.serviceWorker) return "unsupported";
  return Notification.permission === "denied" ? "denied" : "possible";
}

/**
 * Turns messages on for this device. Fails with advice if the browser's push service does not answer in ten seconds.
 */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") throw new Problem(1, {detail: t.account.pushDenied});
  const {publicKey} = await call("GET", "/v1/web-push/key");
  const registration = await navigator.serviceWorker.ready;
  await dropForeign();
  const subscription = await within(
      10_000, registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: publicKey}));
  const {endpoint, keys} = subscription.toJSON();
  await create("/v1/channels", {kind: "webpush", url: endpoint, keys}, crypto.randomUUID());
}

/**
 * Turns messages on this device off. The channel is removed at once if the session may do so; otherwise the registry
 * removes it as soon as the push service says that the subscription has ended. Signing out never asks for a passkey.
 */
export async function unsubscribe() {
  const subscription = await subscribed();
  if (!subscription) return;
  const channel = await own(subscription).catch(() => undefined);
  await subscription.unsubscribe();
  if (!channel) return;
  await call("DELETE", `/v1/channels/${channel.id}`, {etag: "*", isQuiet: true}).catch(() => {});
}

/**
 * Ends a subscription that another owner made in this browser. Its endpoint is never used for a second owner, because
 * the browser cannot tell whose messages arrive.
 */
export async function dropForeign() {
  const subscription = await subscribed();
  if (subscription && !(await own(subscription).catch(() => undefined))) await subscription.unsubscribe();
}

/** This browser's subscription, whoever made it; undefined or null if there is none. */
export async function subscribed() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.pushManager?.getSubscription();
}

/**
 * The signed-in owner's channel of a subscription.
 *
 * @param {PushSubscription} subscription
 * @returns {Promise<any>} undefined if there is none
 */
async function own(subscription) {
  return (await all("/v1/channels?limit=100")).find((channel) => channel.url === subscription.endpoint);
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
