import {Problem, Unanswered} from "./api.js";
import {fill, h} from "./dom.js";
import {duration} from "./format.js";
import {loadTexts, t} from "./text.js";

/**
 * What went wrong, in a sentence that says what to do.
 *
 * @param {unknown} error
 */
export function problemText(error) {
  if (!(error instanceof Problem)) return t.failed;
  if (error instanceof Unanswered) return unansweredText(error);
  if (error.status === 401) return t.signedOut;
  // Without a connection they may not have been loaded, but then no response of the registry has come either.
  if (!t.problems) return error.message || t.failed;
  const known = t.problems.kinds[error.kind];
  const wait = error.wait ? duration(error.wait) : t.problems.aMoment;
  const fields = error.errors.map((each) => fieldText(each));
  if (fields.length) return fields.join(" ");
  if (known) return typeof known === "string" ? known : known(wait);
  if (error.status === 404) return t.notFound;
  return error.message || t.failed;
}

/**
 * What the person may believe after a request without a response.
 *
 * @param {Unanswered} error
 */
function unansweredText({isRead, isSent}) {
  if (isRead) return t.unread;
  return isSent ? t.unanswered : t.offline;
}

/**
 * What a refused field must be; in the registry's own words if the pages do not know the field.
 *
 * @param {{pointer: string, detail: string}} error
 */
function fieldText({pointer, detail}) {
  const known = names(pointer).map((name) => t.problems?.fields[name]).find(Boolean);
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
 * Runs an act of a form or a button, one at a time, and shows that it runs. A failure is shown beside its field; if it
 * has none, above the button that was pressed. Buttons of the class `leave` work meanwhile.
 *
 * @param {HTMLElement} place a form or the container of a button
 * @param {() => Promise<void>} act
 * @returns {Promise<void>}
 */
export async function attempt(place, act) {
  const buttons =
      [...place.querySelectorAll("button")].filter((button) => !button.disabled && !button.classList.contains("leave"));
  const pressed = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const sent = buttons.find((button) => button === pressed) ?? submitOf(place) ?? buttons[0];
  buttons.forEach((button) => (button.disabled = true));
  clear(place);
  const rest = sent && showSending(place, sent);
  const failure = await act().then(() => null, (error) => ({error}));
  if (failure) await loadTexts("problems").catch(() => {});
  rest?.();
  buttons.forEach((button) => (button.disabled = false));
  if (failure?.error instanceof Problem && failure.error.status === 401 &&
      (location.pathname.startsWith("/my") || isAtDesk())) {
    if (isAtDesk() || !isTyped(place)) return whenSignedOut();
    // What was typed stays, and is sent once the person has signed in again.
    const {signInAgain} = await import("./pages/sign-in.js");
    if (await signInAgain()) return attempt(place, act);
  }
  if (failure)
    show(place, failure.error);
  else if (document.activeElement === document.body && pressed?.isConnected)
    // A button that was disabled has lost the focus.
    pressed.focus();
}

/** @param {HTMLElement} place */
function submitOf(place) {
  return place instanceof HTMLFormElement ? place.querySelector("button:not([type=button])") : null;
}

/**
 * Says on the button, and to screen readers, that the act takes a while. Returns what takes that away.
 *
 * @param {HTMLElement} place
 * @param {Element} button
 */
function showSending(place, button) {
  const before = [...button.childNodes];
  const status = h("span", {class: "visually-hidden", role: "status"});
  place.append(status);
  const timer = setTimeout(() => {
    fill(button, t.sending);
    fill(status, t.sending);
  }, 400);
  return () => {
    clearTimeout(timer);
    status.remove();
    if (button.textContent === t.sending) fill(button, ...before);
  };
}

/**
 * Whether the person has typed something here that is not sent yet.
 *
 * @param {ParentNode} place
 */
export function isTyped(place) {
  const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
      place.querySelectorAll("input:not([type=file]), textarea"));
  return [...fields].some(
      (field) => field.value !== field.defaultValue || ("checked" in field && field.checked !== field.defaultChecked));
}

/** @param {HTMLElement} place */
function clear(place) {
  place.querySelectorAll(".fault").forEach((fault) => fault.remove());
  for (const field of place.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

// A refused field is judged again when it is sent again; until then, the person's change may be right.
document.addEventListener("input", ({target}) => {
  const place = target instanceof Element && (target.closest("fieldset") ?? target.closest("label"));
  if (place && place.querySelector("[aria-invalid]")) clear(place);
});
// A browser says nothing about a field that it refuses but cannot show.
document.addEventListener("invalid", ({target}) => target instanceof Element && reveal(target), true);

/**
 * Opens the sections that hide a field.
 *
 * @param {Element} field
 */
function reveal(field) {
  for (let part = field.closest("details"); part; part = part.parentElement?.closest("details") ?? null)
    part.open = true;
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
  const button = submitOf(place);
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
  reveal(field);
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
