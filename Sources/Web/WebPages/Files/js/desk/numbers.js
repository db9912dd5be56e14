import {locale} from "../text.js";

import {d} from "./text.js";

/** Made once, because that takes longer than a hundred uses. */
let numbers = new Intl.NumberFormat("en");
let numbersOf = "en";

/** @param {number} value */
export function number(value) {
  if (numbersOf !== locale) [numbers, numbersOf] = [new Intl.NumberFormat(locale), locale];
  return numbers.format(value);
}

/**
 * A count that may go on beyond the limit up to which the registry counts.
 *
 * @param {{count: number, more?: boolean}} counted
 */
export function counted({count, more}) { return number(count) + (more ? "+" : ""); }

/**
 * A size on disk, e.g. “12.5 MB”.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  const maximumFractionDigits = value < 10 && step > 0 ? 1 : 0;
  // The short form of bytes has no plural.
  const unitDisplay = step > 0 ? "short" : "long";
  return new Intl.NumberFormat(locale, {style: "unit", unit: units[step], unitDisplay, maximumFractionDigits})
      .format(value);
}

/** @param {string} kind of a channel */
export function channelName(kind) { return d.kinds[/** @type {keyof typeof d.kinds} */ (kind)] ?? kind; }

/** @param {{uuid: string, major: number, minor: number}} identity */
export function beaconText({uuid, major, minor}) { return `${uuid}:${major}:${minor}`; }
