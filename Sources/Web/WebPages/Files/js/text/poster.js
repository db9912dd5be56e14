import {lazy} from "./lazy.js";

/** The texts of the poster. */
export const {load: loadPosterTexts, texts: posterTexts} = lazy({
  en: async () => (await import("./en-poster.js")).enPoster,
  de: async () => (await import("./de-poster.js")).dePoster
});
