import {h} from "./dom.js";

const paints = {
  black: "#17191a",
  white: "#fff",
  grey: "#8b9092",
  silver: "#c3c9cb",
  red: "#d0342c",
  green: "#2f8f46",
  blue: "#2563c9",
  teal: "#0f8a8a",
  yellow: "#f2c230",
  gold: "#b48a1e",
  orange: "#ef7d1a",
  brown: "#7a4a2b",
  pink: "#ef9ab8",
  purple: "#7b3fa0",
  other: "conic-gradient(#d0342c, #f2c230, #2f8f46, #2563c9, #d0342c)"
};

/**
 * A dot in the colour of a bike.
 *
 * @param {string} colour
 */
export function swatch(colour) {
  const mark = h("span", {class: "swatch"});
  mark.style.background = paints[/** @type {keyof typeof paints} */ (colour)] ?? paints.other;
  return mark;
}
