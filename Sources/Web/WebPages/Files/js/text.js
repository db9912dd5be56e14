import {chosen, localeOf} from "./locale.js";
import {loaders as first} from "./text/first.js";
import {loaders as more} from "./text/more.js";
import {loaders as problems} from "./text/problems.js";

/**
 * @typedef {import("./text/first.js").Texts & import("./text/more.js").Texts & {problems: Problems}} Texts
 * @typedef {{
 *   kinds: Record<string, string | ((wait: string) => string)>,
 *   fields: Record<string, string>,
 *   aMoment: string
 * }} Problems what went wrong, by the last part of the problem's type and by the name of the refused field
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
  first,
  more,
  problems: /** @type {Record<string, () => Promise<any>>} */ (Object.fromEntries(
      Object.entries(problems).map(([code, load]) => [code, async () => ({problems: await load()})]))),
};
/** @typedef {keyof typeof loaders} Part */

/**
 * The parts that are needed in each language that is chosen.
 *
 * @type {Set<Part>}
 */
const parts = new Set(["first"]);

/**
 * Sets the language of all texts, dates and numbers.
 *
 * @param {string | null | undefined} wished the person's choice; if it is absent, the browser's languages decide
 */
export async function setLanguage(wished) {
  const code = chosen(wished);
  t = Object.assign({}, ...await Promise.all([...parts].map((part) => loaders[part][code]())));
  language = code;
  locale = localeOf(code);
  document.documentElement.lang = code;
}

/**
 * Loads a part of the texts, once the language is set.
 *
 * @param {Part} part
 */
export async function loadTexts(part) {
  if (parts.has(part)) return;
  Object.assign(t, await loaders[part][language]());
  parts.add(part);
}
