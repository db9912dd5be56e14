import {call, change, confirmBy, Problem} from "./api.js";
import {h} from "./dom.js";
import {ask, labelled, values} from "./parts.js";
import {dropForeign} from "./push.js";
import {language, t} from "./text.js";

/** Whether this browser can keep passkeys. */
export function canUsePasskeys() { return "PublicKeyCredential" in globalThis; }

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

/** @param {any} challenge the registry's answer */
async function registration(challenge) {
  const credential = await fromBrowser(navigator.credentials.create({
    publicKey: {
      challenge: bytes(challenge.challenge),
      rp: {id: challenge.relyingParty, name: "FindMyBike"},
      user: {id: bytes(challenge.user), name: "FindMyBike", displayName: "FindMyBike"},
      pubKeyCredParams: challenge.algorithms.map((/** @type {number} */ alg) => ({type: "public-key", alg})),
      excludeCredentials: credentials(challenge),
      authenticatorSelection: {residentKey: "required", requireResidentKey: true, userVerification: "required"},
    }
  }));
  const response = /** @type {any} */ (credential.response);
  return {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.getAuthenticatorData()),
    publicKey: text(response.getPublicKey()),
    publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
  };
}

/** @param {any} challenge the registry's answer */
async function assertion(challenge) {
  const credential = await fromBrowser(navigator.credentials.get({
    publicKey: {
      challenge: bytes(challenge.challenge),
      rpId: challenge.relyingParty,
      userVerification: "required",
      allowCredentials: credentials(challenge),
    }
  }));
  const {clientDataJSON, authenticatorData, signature, userHandle} =
      /** @type {AuthenticatorAssertionResponse} */ (credential.response);
  return {
    credential: text(credential.rawId),
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
    ...(userHandle && {userHandle: text(userHandle)}),
  };
}

/**
 * @param {Promise<Credential | null>} asked
 * @returns {Promise<PublicKeyCredential>}
 */
async function fromBrowser(asked) {
  const credential = await asked.catch(() => null);
  if (!credential) throw new Problem(1, {detail: t.signIn.noPasskey});
  return /** @type {PublicKeyCredential} */ (credential);
}

/** @param {any} challenge */
function credentials(challenge) {
  return challenge.credentials.map((/** @type {string} */ id) => ({type: "public-key", id: bytes(id)}));
}

/**
 * Base64 for URLs, without padding (RFC 4648, section 5).
 *
 * @param {ArrayBuffer} buffer
 */
function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "");
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/** A name by which the owner recognises this browser in the list of devices. */
function deviceName() {
  const agent = navigator.userAgent;
  const browser =
      ["Edg", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(name))?.replace("Edg", "Edge") ?? "Browser";
  const device = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"]
                     .find((name) => agent.includes(name))
                     ?.replace("Macintosh", "Mac");
  return device ? `${browser}, ${device}` : browser;
}
