import {chosen, localeOf} from "../locale.js";
import {loaders} from "../text/display.js";

/** @typedef {import("../text/display.js").Texts} Texts */

/** The texts in the display's language, once `setLanguage` has loaded them. */
export let t = /** @type {Texts} */ ({});
export let language = "en";
let locale = "en";

/**
 * Sets the display's language.
 *
 * @param {string | null} wished the choice at this display; without one, the browser's languages decide
 */
export async function setLanguage(wished) {
  const code = chosen(wished);
  t = await loaders[code]();
  language = code;
  locale = localeOf(code);
  document.documentElement.lang = code;
}

/**
 * A time of day, with the day if it is not today.
 *
 * @param {number} time milliseconds since 1970, by this screen's clock
 */
export function clock(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isToday ? {} : {weekday: "short", day: "numeric", month: "short"};
  return new Intl.DateTimeFormat(locale, {hour: "2-digit", minute: "2-digit", ...day}).format(date);
}
