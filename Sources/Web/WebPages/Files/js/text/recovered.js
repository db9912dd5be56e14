import {lazy} from "./lazy.js";

/** The texts for somebody who has signed in with a recovery code. */
export const {load: loadRecoveredTexts, texts: recoveredTexts} = lazy({
  en: async () => (await import("./en-recovered.js")).enRecovered,
  de: async () => (await import("./de-recovered.js")).deRecovered
});
