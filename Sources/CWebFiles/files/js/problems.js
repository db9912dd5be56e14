import {Problem} from "./api.js";
import {fill, h} from "./dom.js";
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
  if (error.status === 404) return t.notFound;
  if (error.status === 429) return t.tooMany;
  if (error.errors.length) return error.errors.map(({detail, pointer}) => `${pointer.slice(1)} ${detail}`).join(". ");
  return error.message || t.failed;
}

/** Goes to the sign-in page, and remembers what the person wanted to see. */
export function whenSignedOut() {
  const wanted = location.pathname === "/my" ? "" : `?to=${encodeURIComponent(location.pathname)}`;
  location.replace(`/sign-in${wanted}`);
}

/**
 * Runs an act of a form or a button: once at a time, with its failure shown beside it.
 *
 * @param {HTMLElement} place a form or the container of a button
 * @param {() => Promise<void>} act
 */
export async function attempt(place, act) {
  const buttons = [...place.querySelectorAll("button")].filter((button) => !button.disabled);
  buttons.forEach((button) => (button.disabled = true));
  place.querySelector(".fault")?.remove();
  try {
    await act();
  } catch (error) {
    if (error instanceof Problem && error.status === 401 && location.pathname.startsWith("/my")) return whenSignedOut();
    place.append(h("p", {class: "fault", role: "alert"}, problemText(error)));
    if (error instanceof Problem) mark(place, error);
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}

/**
 * Marks the fields that the registry refused.
 *
 * @param {HTMLElement} place
 * @param {Problem} problem
 */
function mark(place, problem) {
  for (const field of place.querySelectorAll("[name]")) {
    const isRefused = problem.errors.some(({pointer}) => pointer.split("/")[1] === field.getAttribute("name"));
    if (isRefused)
      field.setAttribute("aria-invalid", "true");
    else
      field.removeAttribute("aria-invalid");
  }
}

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
