import {call, change, confirmBy, Problem} from "./api.js";
import {h} from "./dom.js";
import {ask, labelled, values} from "./parts.js";
import {assertion, canUsePasskeys, deviceName, registration} from "./passkeys.js";
import {dropForeign} from "./push.js";
import {language, t} from "./text.js";

/**
 * Signs this browser in with a recovery code or a token of the command line.
 *
 * @param {string} secret
 */
export async function signIn(secret) {
  const proof = secret.startsWith("fmb_") ? {token: secret} : {recoveryCode: secret};
  await call("POST", "/v1/sessions", {body: {name: deviceName(), ...proof}});
  await remember();
}

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

/** Proves that it is the owner who holds the phone: dangerous acts need a passkey that was just used. */
async function confirm() {
  const challenge = await call("POST", "/v1/owner/challenge");
  const proof = challenge.credentials.length && canUsePasskeys() ? {passkey: await assertion(challenge)}
                                                                 : {recoveryCode: await askRecoveryCode()};
  await call("PUT", "/v1/session/confirmation", {body: proof});
}

/**
 * Asks for a recovery code in a dialog.
 *
 * @returns {Promise<string>}
 */
function askRecoveryCode() {
  return new Promise((resolve, refuse) => {
    const field = labelled(
        t.signIn.code, h("input", {name: "code", required: true, maxlength: 64, autocomplete: "off", class: "mono"}),
        t.signIn.codeHint);
    ask(t.signIn.codeTitle, [field], {text: t.signIn.submitCode}, async (form) => resolve(values(form).code),
        () => refuse(new Problem(1, {detail: t.signIn.codeNeeded})));
  });
}
confirmBy(confirm, askRecoveryCode);

/**
 * Marks that somebody is signed in; without it, the first page would ask for an account that nobody has. It is no
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
