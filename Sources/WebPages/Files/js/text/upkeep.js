import {language} from "../text.js";

let texts = /** @type {typeof import("./en-upkeep.js").enUpkeep} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadUpkeepTexts() {
  texts = language === "de" ? (await import("./de-upkeep.js")).deUpkeep : (await import("./en-upkeep.js")).enUpkeep;
}

/** The texts about the dates of which an owner is reminded. */
export function upkeepTexts() { return texts; }
