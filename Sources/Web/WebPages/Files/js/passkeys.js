import {Problem} from "./api.js";
import {locale, t} from "./text.js";

/** Whether this browser can keep passkeys. */
export function canUsePasskeys() { return "PublicKeyCredential" in globalThis; }

/**
 * Makes a passkey on this device.
 *
 * @param {any} challenge the registry's answer
 */
export async function registration(challenge) {
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

/**
 * Uses a passkey that the person chooses.
 *
 * @param {any} challenge the registry's answer
 */
export async function assertion(challenge) {
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
  const credential = await asked.catch((error) => {
    // It keeps one of those that the challenge excludes (Web Authentication, section 5.1.3).
    if (error?.name === "InvalidStateError") throw new Problem(1, {detail: t.signIn.hasPasskey});
    return null;
  });
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
export function text(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "");
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/**
 * A name that helps a person to recognise this browser in a list of devices: what it is, and since when it is there.
 */
export function deviceName() {
  const agent = navigator.userAgent;
  const browser =
      ["Edg", "Firefox", "Chrome", "Safari"].find((name) => agent.includes(name))?.replace("Edg", "Edge") ?? "Browser";
  const device = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"]
                     .find((name) => agent.includes(name))
                     ?.replace("Macintosh", "Mac");
  const day = new Intl.DateTimeFormat(locale, {day: "numeric", month: "long"}).format(new Date());
  return `${device ? t.signIn.device(browser, device) : browser}, ${day}`;
}
