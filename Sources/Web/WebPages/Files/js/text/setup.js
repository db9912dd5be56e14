import {lazy} from "./lazy.js";

/** The texts of the list of what makes a bike ready. */
export const {load: loadSetupTexts, texts: setupTexts} = lazy(
    {en: async () => (await import("./en-setup.js")).enSetup, de: async () => (await import("./de-setup.js")).deSetup});
