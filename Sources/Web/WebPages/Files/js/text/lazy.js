import {language} from "../text.js";

/**
 * Texts that only some pages need, and load in the person's language before they show them.
 *
 * @template Texts
 * @param {{en: () => Promise<Texts>, de: () => Promise<Texts>}} loaders
 */
export function lazy(loaders) {
  let texts = /** @type {Texts} */ ({});
  return {
    load: async () => {
      texts = await loaders[/** @type {keyof typeof loaders} */ (language)]();
    },
    texts: () => texts,
  };
}
