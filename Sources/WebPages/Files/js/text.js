/** @typedef {typeof import("./text/en.js").en} Texts */

/** The texts in the person's language, once `setLanguage` has loaded them. */
export let t = /** @type {Texts} */ ({});
/** The language's code, for `Intl`. */
export let language = "en";
/** The browser's form of this language, such as en-GB, for dates and numbers. */
export let locale = "en";

const loaders = {
  en: async () => (await import("./text/en.js")).en,
  de: async () => (await import("./text/de.js")).de
};

/**
 * Sets the language of all texts, dates and numbers.
 *
 * @param {string | undefined} wished the owner's setting; if it is absent, the browser's languages decide
 */
export async function setLanguage(wished) {
  const codes = [wished, ...navigator.languages].map((code) => code?.slice(0, 2).toLowerCase());
  const code = codes.find((code) => code && code in loaders) ?? "en";
  t = await loaders[/** @type {keyof typeof loaders} */ (code)]();
  language = code;
  locale = navigator.languages.find((name) => name.startsWith(code)) ?? code;
  document.documentElement.lang = code;
}
