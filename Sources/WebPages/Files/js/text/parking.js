import {language} from "../text.js";

let texts = /** @type {typeof import("./en-parking.js").enParking} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadParkingTexts() {
  texts = language === "de" ? (await import("./de-parking.js")).deParking : (await import("./en-parking.js")).enParking;
}

/** The texts about where a bike is left. */
export function parkingTexts() { return texts; }
