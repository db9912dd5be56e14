import {metresBetween} from "../trail/stays.js";

/** @typedef {{latitude: number, longitude: number}} Point */

/** A station that is farther from all others than this, in metres, is probably at a mistyped place. */
const far = 100_000;

/**
 * @param {Point} point
 * @param {Point[]} others
 * @returns {number} the metres to the nearest of them; infinite if there is none
 */
function toNearest(point, others) {
  return others.reduce((nearest, other) => Math.min(nearest, metresBetween(point, other)), Infinity);
}

/**
 * Checks whether a place is far from all other stations. Often the two coordinates were swapped; the swapped place is
 * then near a station.
 *
 * @param {Point} point
 * @param {Point[]} others
 * @returns {{metres: number, swapped: Point | null} | null} null if nothing is strange, or if there is no other station
 */
export function strangeness(point, others) {
  const metres = toNearest(point, others);
  if (metres < far || metres === Infinity) return null;
  const turned = {latitude: point.longitude, longitude: point.latitude};
  const fits = Math.abs(turned.latitude) <= 90 && toNearest(turned, others) < far;
  return {metres, swapped: fits ? turned : null};
}
