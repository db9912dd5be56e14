import {language} from "./text.js";

/**
 * Texts that only some pages need, and load in the person's language before they show them.
 *
 * @template Texts
 * @param {Record<string, () => Promise<Texts>>} loaders
 */
export function lazy(loaders) {
  let texts = /** @type {Texts} */ ({});
  return {
    load: async () => {
      texts = await loaders[language]();
    },
    texts: () => texts,
  };
}
