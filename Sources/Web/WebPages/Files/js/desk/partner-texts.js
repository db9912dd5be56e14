import {t} from "../text.js";
import {load, texts} from "../text/partners.js";

/** Loads the texts of the pages about partners, and returns them. */
export async function loadPartnerTexts() {
  await load();
  Object.assign(t.problems.kinds, texts().kinds);
  return texts();
}
