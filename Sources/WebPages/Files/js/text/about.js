import {language} from "../text.js";

let texts = /** @type {typeof import("./en-about.js").enAbout} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadAboutTexts() {
  texts = language === "de" ? (await import("./de-about.js")).deAbout : (await import("./en-about.js")).enAbout;
}

/** The texts for somebody who has not signed up yet. */
export function aboutTexts() { return texts; }
