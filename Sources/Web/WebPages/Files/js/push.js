import {all, call, create, Problem} from "./api.js";
import {text as base64} from "./passkeys.js";
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
  if ((await Notification.requestPermission()) !== "granted") throw new Problem(1, {detail: t.pushDenied});
  const {publicKey} = await call("GET", "/v1/web-push/key");
  await dropForeign();
  await add(publicKey, {});
}

/**
 * Subscribes this device again if its subscription was made with another key than the registry's, which may have lost
 * its former one: push services then take no message for it. The person is asked for nothing.
 *
 * @param {any[]} list the owner's channels
 * @returns {Promise<boolean>} whether the channels have changed
 */
export async function renew(list) {
  const subscription = await subscribed();
  const channel = subscription && list.find(({url}) => url === subscription.endpoint);
  const bound = subscription?.options?.applicationServerKey;
  if (!channel || !bound) return false;
  const {publicKey} = await call("GET", "/v1/web-push/key");
  if (base64(bound) === publicKey) return false;
  await subscription.unsubscribe();
  await add(publicKey, {coordinates: channel.coordinates, after: channel.after});
  await remove(channel);
  return true;
}

/**
 * Subscribes this device, and adds its channel.
 *
 * @param {string} publicKey the registry's
 * @param {{coordinates?: boolean, after?: number}} settings
 */
async function add(publicKey, settings) {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await within(
      10_000, registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: publicKey}));
  const {endpoint, keys} = subscription.toJSON();
  await create("/v1/channels", {...settings, kind: "webpush", url: endpoint, keys}, crypto.randomUUID());
}

/**
 * Removes a channel whose subscription has ended, if the session may do so.
 *
 * @param {any} channel
 */
async function remove(channel) {
  await call("DELETE", `/v1/channels/${channel.id}`, {etag: "*", isQuiet: true}).catch(() => {});
}

/**
 * Turns off messages on this device. The channel is removed immediately if the session may do so; otherwise the
 * registry removes it as soon as the push service says that the subscription has ended. Signing out never asks for a
 * passkey.
 */
export async function unsubscribe() {
  const subscription = await subscribed();
  if (!subscription) return;
  const channel = await own(subscription).catch(() => undefined);
  await subscription.unsubscribe();
  if (channel) await remove(channel);
}

/**
 * Ends a subscription that another owner made in this browser. Its endpoint is never used for a second owner, because
 * the browser does not know whose messages arrive.
 */
export async function dropForeign() {
  const subscription = await subscribed();
  if (subscription && !(await own(subscription).catch(() => undefined))) await subscription.unsubscribe();
}

/** This browser's subscription, of any owner; undefined or null if there is none. */
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
  const advice = new Problem(1, {detail: t.pushFailed});
  return Promise.race([
    promise.catch(() => {
      throw advice;
    }),
    new Promise((_, refuse) => setTimeout(() => refuse(advice), milliseconds))
  ]);
}
