import {keptLanguage} from "../locale.js";
import {language, loadTexts as load, setLanguage, t} from "../text.js";
import {loaders} from "../text/desk.js";

/** @typedef {import("../text/desk.js").Texts} DeskTexts */

/** The desk's texts in the person's language, once `loadTexts` has loaded them. */
export let d = /** @type {DeskTexts} */ ({});

/** Loads the texts of the language that was chosen in this browser, or of the browser's language. */
export async function loadTexts() {
  await setLanguage(keptLanguage());
  await Promise.all([load("more"), load("problems")]);
  d = await loaders[language]();
  t.signIn.noPasskey = d.signIn.noPasskey;
  Object.assign(t.problems.kinds, d.problems.kinds);
  Object.assign(t.problems.fields, d.problems.fields);
}
