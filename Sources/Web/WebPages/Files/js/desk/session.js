import {call, confirmBy, Problem} from "../api.js";
import {h} from "../dom.js";
import {ask, labelled, values} from "../parts.js";
import {assertion, canUsePasskeys, deviceName, registration} from "../passkeys.js";

import {d} from "./text.js";

/**
 * @typedef {{id: string, name: string, operator: {id: string, name: string}, signedIn: "token" | "passkey", began:
 * string, lastUsed: string, ends: string, passkeys: number, current: boolean}} Session
 */

const path = "/v1/desk/session";
const challenge = () => call("POST", "/v1/desk/passkeys/challenge", {body: {}});

/** @type {Promise<Session> | null} */
let known = null;

/**
 * Who is signed in; asked once.
 *
 * @returns {Promise<Session>}
 */
export function session() {
  return known ??= call("GET", path).catch((error) => {
    known = null;
    throw error;
  });
}

/** Forgets who is signed in, because it has changed. */
export function forgetSession() { known = null; }

/** @param {string} token of an operator */
export async function signIn(token) { await begin({token}); }

export async function signInWithPasskey() { await begin({passkey: await assertion(await challenge())}); }

/** @param {{token: string} | {passkey: any}} proof */
async function begin(proof) {
  known = Promise.resolve(await call("POST", path, {body: {name: deviceName(), ...proof}}).catch((error) => {
    throw wrong(error);
  }));
  // It is not secret, and differs each time, so that other windows notice.
  localStorage.setItem("atDesk", String(Date.now()));
}

export async function signOut() {
  await call("DELETE", path);
  forgetSession();
  localStorage.removeItem("atDesk");
}

/** Adds a passkey of this device to the operator. */
export async function addPasskey() {
  await prove();
  const passkey = await registration(await challenge());
  await call("POST", "/v1/desk/passkeys", {body: {name: deviceName(), passkey}});
  forgetSession();
}

/** @param {string} id */
export async function removePasskey(id) {
  await prove();
  await call("DELETE", `/v1/desk/passkeys/${id}`);
  forgetSession();
}

/**
 * Asks for a passkey or the token, unless one was given lately: it must be possible to replace a lost passkey.
 */
async function prove() {
  const {passkeysUntil} = await call("GET", path);
  if (!passkeysUntil) await confirm(true);
}

/**
 * Proves that it is the operator who sits at the computer: what cannot be undone needs a passkey that was just used, or
 * the token while the operator has no passkey.
 *
 * @param {boolean} [isTokenEnough] also if the operator has a passkey
 */
async function confirm(isTokenEnough = false) {
  const {passkeys} = await call("GET", path);
  const hasPasskey = passkeys > 0 && canUsePasskeys();
  const takesToken = !hasPasskey || isTokenEnough;
  const token = labelled(hasPasskey ? d.confirm.orToken : d.signIn.token, h("input", {
                           name: "token",
                           required: !hasPasskey,
                           maxlength: 128,
                           autocomplete: "off",
                           autocapitalize: "off",
                           spellcheck: "false",
                           class: "mono"
                         }));
  const lead = h("p", {class: "soft"}, d.confirm.lead);
  await new Promise((/** @type {(value?: any) => void} */ resolve, refuse) => {
    ask(d.confirm.title, takesToken ? [lead, token] : [lead],
        {text: hasPasskey ? d.confirm.passkey : d.confirm.token}, async (form) => {
          const {token} = values(form);
          const body = token ? {token} : {passkey: await assertion(await challenge())};
          await call("POST", `${path}/confirmation`, {body, isQuiet: true}).catch((error) => {
            throw wrong(error);
          });
          resolve();
        }, () => refuse(new Problem(1, {detail: d.confirm.needed})));
  });
}
// Operators have no recovery codes.
confirmBy(() => confirm(), async () => {
  throw new Problem(1, {detail: d.confirm.needed});
});

/**
 * A mistyped token has the same words as a revoked one.
 *
 * @param {unknown} error
 */
function wrong(error) {
  const isToken = error instanceof Problem &&
      (error.status === 401 || error.kind === "token-unusable" ||
       error.errors.some(({pointer}) => pointer === "/token"));
  return isToken ? new Problem(1, {detail: d.signIn.wrong}) : error;
}
