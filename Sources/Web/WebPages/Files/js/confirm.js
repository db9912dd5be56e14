import {call, Problem} from "./api.js";
import {h} from "./dom.js";
import {ask, labelled, values} from "./parts.js";
import {assertion, canUsePasskeys} from "./passkeys.js";
import {t} from "./text.js";

/** Proves that it is the owner who holds the phone: dangerous acts need a passkey that was just used. */
export async function confirm() {
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

/**
 * A recovery code, which the most dangerous acts need.
 *
 * @returns {Promise<string>}
 */
export function recoveryCode() { return askRecoveryCode(t.signIn.whyCode); }
