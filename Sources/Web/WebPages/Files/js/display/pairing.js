import {fill, h} from "../dom.js";

import {Refusal, send} from "./feed.js";
import {t} from "./texts.js";

/** A repeated attempt has the same key, so a code whose answer was lost is not wasted. */
const key =
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The form for connecting a screen, once.
 *
 * @param {string} code what the link brought; nothing is sent before somebody taps, so no link connects a screen
 * @param {boolean} wasPaired whether the screen was connected before
 * @param {(view: import("./feed.js").View) => void} onPaired
 * @param {(() => void) | null} onCancel
 */
export function pairing(code, wasPaired, onPaired, onCancel) {
  const field = h("input", {
    id: "code",
    value: code,
    required: true,
    maxlength: 64,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "aria-describedby": "code-hint code-fault"
  });
  const fault = h("p", {id: "code-fault", class: "fault", role: "alert"}, wasPaired && t.pair.ended);
  const submit = h("button", {class: "primary wide"}, t.pair.submit);
  const form =
      h("form", {},
        h("label",
          {for: "code"
          },
          t.pair.code, h("span", {id: "code-hint", class: "hint"}, t.pair.hint)),
        field, fault, submit,
        onCancel && h("button", {type: "button", class: "plain wide", onclick: onCancel}, t.pair.cancel));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    try {
      const view = await send("POST", "v1/display/pairing", {code: field.value}, {"Idempotency-Key": key});
      history.replaceState(null, "", location.pathname);
      onPaired(view);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 0;
      fill(fault, status === 0 || status >= 500 ? t.pair.offline : status === 429 ? t.pair.tooMany : t.pair.unusable);
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
    submit.disabled = false;
  });
  return h("main", {class: "narrow"}, h("h1", {}, t.pair.title), h("p", {class: "lead"}, t.pair.lead), form);
}
