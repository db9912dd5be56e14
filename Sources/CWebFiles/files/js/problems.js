import {Problem} from "./api.js";
import {fill, h} from "./dom.js";
import {duration} from "./format.js";
import {t} from "./text.js";

/**
 * What went wrong, in a sentence that says what to do.
 *
 * @param {unknown} error
 */
export function problemText(error) {
  if (!(error instanceof Problem)) return t.failed;
  if (error.isOffline) return t.offline;
  if (error.status === 401) return t.signedOut;
  const known = t.problems.kinds[error.kind];
  const wait = error.wait ? duration(error.wait) : t.problems.aMoment;
  const fields = error.errors.map((each) => fieldText(each));
  if (fields.length) return fields.join(" ");
  if (known) return typeof known === "string" ? known : known(wait);
  if (error.status === 404) return t.notFound;
  return error.message || t.failed;
}

/**
 * What a refused field must be; in the registry's own words if the pages do not know the field.
 *
 * @param {{pointer: string, detail: string}} error
 */
function fieldText({pointer, detail}) {
  const known = names(pointer).map((name) => t.problems.fields[name]).find(Boolean);
  return known ?? `${pointer.slice(1)} ${detail}.`.trim();
}

/**
 * The fields that a JSON pointer names, the innermost first.
 *
 * @param {string} pointer
 */
function names(pointer) { return pointer.split("/").slice(1).reverse(); }

/** Goes to the sign-in page of owners or operators, and remembers what the person wanted to see. */
export function whenSignedOut() {
  const [home, signIn] = isAtDesk() ? ["/desk", "/desk/sign-in"] : ["/my", "/sign-in"];
  const wanted = location.pathname === home ? "" : `?to=${encodeURIComponent(location.pathname)}`;
  location.replace(signIn + wanted);
}

function isAtDesk() { return /^\/desk(\/|$)/.test(location.pathname); }

/**
 * Runs an act of a form or a button, once at a time. A failure is shown beside its field; if it has none, above the
 * button that was pressed.
 *
 * @param {HTMLElement} place a form or the container of a button
 * @param {() => Promise<void>} act
 */
export async function attempt(place, act) {
  const buttons = [...place.querySelectorAll("button")].filter((button) => !button.disabled);
  const pressed = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  buttons.forEach((button) => (button.disabled = true));
  clear(place);
  const failure = await act().then(() => null, (error) => ({error}));
  buttons.forEach((button) => (button.disabled = false));
  if (failure?.error instanceof Problem && failure.error.status === 401 &&
      (location.pathname.startsWith("/my") || isAtDesk()))
    return whenSignedOut();
  if (failure)
    show(place, failure.error);
  else if (document.activeElement === document.body && pressed?.isConnected)
    // A button that was disabled has lost the focus.
    pressed.focus();
}

/** @param {HTMLElement} place */
function clear(place) {
  place.querySelectorAll(".fault").forEach((fault) => fault.remove());
  for (const field of place.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

/**
 * @param {HTMLElement} place
 * @param {unknown} error
 */
function show(place, error) {
  const errors = error instanceof Problem ? error.errors : [];
  const refused = errors.map((each) => beside(place, each));
  const first = refused.find(Boolean);
  if (errors.length && refused.every(Boolean)) return first?.focus();
  const fault = h("p", {class: "fault", role: "alert", tabindex: -1}, problemText(error));
  const button = place instanceof HTMLFormElement ? place.querySelector("button:not([type=button])") : null;
  if (button)
    (button.closest("form > .row") ?? button).before(fault);
  else
    place.prepend(fault);
  (first ?? fault).focus();
}

/**
 * Shows a refused field's error at the field, if the form has it.
 *
 * @param {HTMLElement} place
 * @param {{pointer: string, detail: string}} error
 * @returns {HTMLElement | undefined} the field
 */
function beside(place, error) {
  const fields = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[name]")]);
  const wanted = names(error.pointer).flatMap((name) => [name, elsewhere[name] ?? name]);
  const field = wanted.map((name) => fields.find((field) => field.getAttribute("name") === name)).find(Boolean);
  if (!field) return undefined;
  const details = field.closest("details");
  if (details) details.open = true;
  if (field.getAttribute("aria-invalid")) return field;
  field.setAttribute("aria-invalid", "true");
  const id = `fault-${field.getAttribute("name")}`;
  const group = field.closest(".choices")?.closest("fieldset");
  // In a label, the text becomes a part of the field's name.
  if (group) field.setAttribute("aria-describedby", id);
  (group ?? field.closest("label") ?? field.parentElement ?? place)
      .append(h("span", {class: "fault", id}, fieldText(error)));
  return field;
}

/** The fields of the pages' forms whose names are not those of the API. */
const elsewhere = /** @type {Record<string, string>} */ (
    {identity: "uuid", quietHours: "from", missingSince: "since", recoveryCode: "secret", token: "secret"});

/**
 * Shows text in place of a button for a moment.
 *
 * @param {HTMLButtonElement} button
 * @param {string} text
 */
export function flash(button, text) {
  const before = [...button.childNodes];
  fill(button, text);
  setTimeout(() => fill(button, ...before), 1600);
}
