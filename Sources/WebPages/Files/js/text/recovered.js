import {language} from "../text.js";

let texts = /** @type {typeof import("./en-recovered.js").enRecovered} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadRecoveredTexts() {
  texts = language === "de" ? (await import("./de-recovered.js")).deRecovered
                            : (await import("./en-recovered.js")).enRecovered;
}

/** The texts for somebody who has signed in with a recovery code. */
export function recoveredTexts() { return texts; }
