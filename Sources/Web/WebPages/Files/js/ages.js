import {fill, h} from "./dom.js";

/** @type {WeakMap<Element, () => string>} */
const texts = new WeakMap();

/**
 * A text that time changes, such as “3 minutes ago”. It is kept up to date in its place, so nothing moves and no focus
 * is lost.
 *
 * @param {() => string} text
 */
export function ticking(text) {
  const element = h("span", {class: "age"}, text());
  texts.set(element, text);
  return element;
}

function refresh() {
  if (document.hidden) return;
  for (const element of document.querySelectorAll(".age")) {
    const text = texts.get(element)?.() ?? "";
    if (text !== element.textContent) fill(element, text);
  }
}

setInterval(refresh, 15_000);
document.addEventListener("visibilitychange", refresh);
