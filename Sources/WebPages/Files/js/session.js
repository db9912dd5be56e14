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

/** Proves that it is the owner who holds the phone: dangerous acts need a passkey that was just used. */
async function confirm() {
  const challenge = await call("POST", "/v1/owner/challenge");
  const proof = challenge.credentials.length && canUsePasskeys() ? await askPasskey(challenge)
                                                                 : {recoveryCode: await askRecoveryCode(t.signIn.why)};
  await call("PUT", "/v1/session/confirmation", {body: proof});
}

/**
 * Says why a proof is needed before the browser asks for a passkey. Somebody whose passkey is on another device can
 * give a recovery code.
 *
 * @param {any} first a challenge, for the first try
 * @returns {Promise<{passkey: any} | {recoveryCode: string}>}
 */
function askPasskey(first) {
  return new Promise((resolve, refuse) => {
    let challenge = first;
    let byCode = false;
    const other =
        h("button", {
          type: "button",
          class: "plain wide",
          onclick: () => {
            byCode = true;
            other.closest("dialog")?.close();
          }
        },
          t.signIn.useCode);
    const act = async () => {
      const asked = challenge ?? await call("POST", "/v1/owner/challenge");
      challenge = null;
      resolve({passkey: await assertion(asked)});
    };
    const closed = () => byCode ? askRecoveryCode(t.signIn.why).then((code) => resolve({recoveryCode: code}), refuse)
                                : refuse(new Problem(1, {detail: t.signIn.codeNeeded}));
    ask(t.signIn.codeTitle, [h("p", {class: "soft"}, t.signIn.why), other], {text: t.signIn.usePasskey}, act, closed);
  });
}

/**
 * Asks for a recovery code in a dialog.
 *
 * @param {string} why
 * @returns {Promise<string>}
 */
function askRecoveryCode(why) {
  return new Promise((resolve, refuse) => {
    const field = labelled(
        t.signIn.code, h("input", {name: "code", required: true, maxlength: 64, autocomplete: "off", class: "mono"}),
        t.signIn.codeHint);
    ask(t.signIn.codeTitle, [h("p", {class: "soft"}, why), field], {text: t.signIn.submitCode},
        async (form) => resolve(values(form).code), () => refuse(new Problem(1, {detail: t.signIn.codeNeeded})));
  });
}
confirmBy(confirm, () => askRecoveryCode(t.signIn.whyCode));

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
