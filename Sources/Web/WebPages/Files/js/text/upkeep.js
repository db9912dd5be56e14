import {lazy} from "./lazy.js";

/** The texts about the dates of which an owner is reminded. */
export const {load: loadUpkeepTexts, texts: upkeepTexts} = lazy({
  en: async () => (await import("./en-upkeep.js")).enUpkeep,
  de: async () => (await import("./de-upkeep.js")).deUpkeep
});
