/**
 * @typedef {typeof import("./text/en.js").en & typeof import("./text/en-more.js").enMore &
 *     {problems: typeof import("./text/en-problems.js").enProblems}} Texts
 */

/** The texts in the person's language, as far as `setLanguage` and `loadTexts` have loaded them. */
export let t = /** @type {Texts} */ ({});
/** The language's code, for `Intl`. */
export let language = "en";
/** The browser's form of this language, such as en-GB, for dates and numbers. */
export let locale = "en";

/**
 * The texts come in parts, so that a first visit loads few of them: what it begins with, the rest, and what goes
 * wrong.
 */
const loaders = {
  en: {
    first: async () => (await import("./text/en.js")).en,
    more: async () => (await import("./text/en-more.js")).enMore,
    problems: async () => ({problems: (await import("./text/en-problems.js")).enProblems}),
  },
  de: {
    first: async () => (await import("./text/de.js")).de,
    more: async () => (await import("./text/de-more.js")).deMore,
    problems: async () => ({problems: (await import("./text/de-problems.js")).deProblems}),
  }
};
/** @typedef {keyof typeof loaders["en"]} Part */

/**
 * The parts that are needed in each language that is chosen.
 *
 * @type {Set<Part>}
 */
const parts = new Set(["first"]);

/**
 * Sets the language of all texts, dates and numbers.
 *
 * @param {string | undefined} wished the owner's setting; if it is absent, the browser's languages decide
 */
export async function setLanguage(wished) {
  const codes = [wished, ...navigator.languages].map((code) => code?.slice(0, 2).toLowerCase());
  const code = /** @type {keyof typeof loaders} */ (codes.find((code) => code && code in loaders) ?? "en");
  t = Object.assign({}, ...await Promise.all([...parts].map((part) => loaders[code][part]())));
  language = code;
  locale = navigator.languages.find((name) => name.startsWith(code)) ?? code;
  document.documentElement.lang = code;
}

/**
 * Loads a part of the texts, once the language is set.
 *
 * @param {Part} part
 */
export async function loadTexts(part) {
  if (parts.has(part)) return;
  Object.assign(t, await loaders[/** @type {keyof typeof loaders} */ (language)][part]());
  parts.add(part);
}
