import {t} from "../text.js";
import {lazy} from "../text/lazy.js";

const partnerTexts = lazy({
  en: async () => (await import("../text/en-partners.js")).enPartners,
  de: async () => (await import("../text/de-partners.js")).dePartners,
});

/** Loads the texts of the pages about partners, and returns them. */
export async function loadPartnerTexts() {
  await partnerTexts.load();
  const texts = partnerTexts.texts();
  Object.assign(t.problems.kinds, texts.kinds);
  return texts;
}
