import {language} from "../text.js";

let texts = /** @type {typeof import("./en-poster.js").enPoster} */ ({});

/** Loads the texts in the person's language. A page that shows them does so first. */
export async function loadPosterTexts() {
  texts = language === "de" ? (await import("./de-poster.js")).dePoster : (await import("./en-poster.js")).enPoster;
}

/** The texts of the poster. */
export function posterTexts() { return texts; }
