import {call, change, confirmBy} from "./api.js";
import {assertion, deviceName, registration} from "./passkeys.js";
import {dropForeign} from "./push.js";
import {language} from "./text.js";

/**
 * Signs this browser in with a recovery code or a token of the command line.
 *
 * @param {string} secret
 */
export async function signIn(secret) {
  const proof = isToken(secret) ? {token: secret} : {recoveryCode: secret};
  await call("POST", "/v1/sessions", {body: {name: deviceName(), ...proof}});
  await remember();
}

/**
 * Whether a secret is a token of the command line, and not a recovery code.
 *
 * @param {string} secret
 */
export function isToken(secret) { return secret.startsWith("fmb_"); }

export async function signInWithPasskey() {
  const passkey = await assertion(await call("POST", "/v1/passkeys/challenge"));
  await call("POST", "/v1/sessions", {body: {name: deviceName(), passkey}});
  await remember();
}

/**
 * Makes an account with a new passkey.
 *
 * @param {string} [invitation]
 * @returns {Promise<string[]>} the recovery codes
 */
export async function signUp(invitation) {
  const passkey = await registration(await call("POST", "/v1/passkeys/challenge"));
  const body = {name: deviceName(), passkey, ...(invitation && {invitation})};
  const signedUp = await call("POST", "/v1/sign-up", {body});
  await remember();
  // Alerts follow these settings, so they begin as the browser's.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await change("/v1/owner", {language, zone}).catch(() => {});
  return signedUp.recoveryCodes;
}

/** Adds a passkey of this device to the account. */
export async function addPasskey() {
  const passkey = await registration(await call("POST", "/v1/owner/challenge"));
  await call("POST", "/v1/passkeys", {body: {name: deviceName(), passkey}});
}

// Few visits need a proof, so what asks for it is loaded only then.
confirmBy(
    async () => (await import("./confirm.js")).confirm(), async () => (await import("./confirm.js")).recoveryCode());

/**
 * Marks that somebody is signed in; without it, the first page would request the account without a session. It is not
 * secret, and differs each time, so that other windows notice. What the browser kept of another account is deleted.
 */
async function remember() {
  await forgetAccount();
  localStorage.setItem("signedIn", String(Date.now()));
  await dropForeign().catch(() => {});
}

/** The mark of who is signed in on this browser, as far as it knows; null if nobody is. The registry is not asked. */
export function signedInMark() { return localStorage.getItem("signedIn"); }

export function isSignedIn() { return signedInMark() !== null; }

/** Deletes what this browser keeps of an account. */
export async function forgetAccount() {
  localStorage.removeItem("signedIn");
  await caches.delete("answers");
}
