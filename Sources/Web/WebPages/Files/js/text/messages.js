import {lazy} from "./lazy.js";

/** The texts about finders, buyers and viewers of a share, for the bike's page. */
export const {load: loadMessageTexts, texts: messageTexts} = lazy({
  en: async () => (await import("./en-messages.js")).enMessages,
  de: async () => (await import("./de-messages.js")).deMessages
});
