import {language} from "../text.js";

let texts = /** @type {typeof import("./en-setup.js").enSetup} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadSetupTexts() {
  texts = language === "de" ? (await import("./de-setup.js")).deSetup : (await import("./en-setup.js")).enSetup;
}

/** The texts of the list of what makes a bike ready. */
export function setupTexts() { return texts; }
