/** @typedef {typeof import("../text/en-display.js").enDisplay} Texts */

/** The texts in the display's language, once `setLanguage` has loaded them. */
export let t = /** @type {Texts} */ ({});
export let language = "en";
let locale = "en";

/** The languages by their own names. */
export const languages = {
  en: "English",
  de: "Deutsch"
};

const loaders = {
  en: async () => (await import("../text/en-display.js")).enDisplay,
  de: async () => (await import("../text/de-display.js")).deDisplay
};

/**
 * Sets the display's language.
 *
 * @param {string | null} wished the choice at this display; without one, the browser's languages decide
 */
export async function setLanguage(wished) {
  const codes = [wished, ...navigator.languages].map((code) => code?.slice(0, 2).toLowerCase());
  const code = codes.find((code) => code && code in loaders) ?? "en";
  t = await loaders[/** @type {keyof typeof loaders} */ (code)]();
  language = code;
  locale = navigator.languages.find((name) => name.startsWith(code)) ?? code;
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
