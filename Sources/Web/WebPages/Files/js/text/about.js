import {lazy} from "./lazy.js";

/** The texts for somebody who has not signed up yet. */
export const {load: loadAboutTexts, texts: aboutTexts} = lazy(
    {en: async () => (await import("./en-about.js")).enAbout, de: async () => (await import("./de-about.js")).deAbout});
