import {language, loadTexts as load, setLanguage, t} from "../text.js";

/** @typedef {typeof import("../text/en-desk.js").enDesk} DeskTexts */

/** The desk's texts in the person's language, once `loadTexts` has loaded them. */
export let d = /** @type {DeskTexts} */ ({});

/** Loads the texts of this browser's language. */
export async function loadTexts() {
  await setLanguage(localStorage.getItem("language") ?? undefined);
  await Promise.all([load("more"), load("problems")]);
  d = language === "de" ? (await import("../text/de-desk.js")).deDesk : (await import("../text/en-desk.js")).enDesk;
  t.signIn.noPasskey = d.signIn.noPasskey;
  Object.assign(t.problems.kinds, d.problems.kinds);
  Object.assign(t.problems.fields, d.problems.fields);
}
