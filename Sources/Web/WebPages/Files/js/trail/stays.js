import {h} from "../dom.js";

/**
 * @typedef {object} Sighting
 * @property {string} id
 * @property {{id: string, name: string}} station
 * @property {{latitude: number, longitude: number, accuracy?: number}} place
 * @property {string} firstSeen
 * @property {string} lastSeen
 * @property {boolean} ended
 * @property {boolean} late
 * @property {boolean} timeUncertain
 * @property {"possible" | "corroborated" | "disputed"} level
 * @property {string[]} reasons
 * @property {boolean} [sameStay]
 * @property {string} [dismissed]
 * @property {string} [acknowledged]
 * @property {{name: string, place?: {latitude: number, longitude: number, accuracy?: number}}} [receiver]
 */

/**
 * The sightings in the order of their times, the latest first.
 *
 * @param {Sighting[]} sightings
 */
export function latestFirst(sightings) {
  // Times and identifiers are ASCII of one length: a comparison by language takes a phone some 80 ms to prepare.
  const key = (/** @type {Sighting} */ sighting) => sighting.lastSeen + sighting.id;
  return [...sightings].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

/**
 * The sightings that can be the owner's bike.
 *
 * @param {Sighting[]} sightings
 */
export function believable(sightings) {
  return latestFirst(sightings).filter((sighting) => !sighting.dismissed && sighting.level !== "disputed");
}

/**
 * How far the bike can have been from the place of a sighting, in metres: the place is the station's, with its own
 * accuracy, and a beacon reaches some 30 m.
 *
 * @param {Sighting} sighting
 */
export function radius(sighting) { return (sighting.place.accuracy ?? 50) + 30; }

/**
 * The distance between two places on a sphere (haversine), in metres.
 *
 * @param {{latitude: number, longitude: number}} a
 * @param {{latitude: number, longitude: number}} b
 */
export function metresBetween(a, b) {
  const rad = Math.PI / 180;
  const sin = (/** @type {number} */ degrees) => Math.sin((degrees * rad) / 2) ** 2;
  const square = sin(b.latitude - a.latitude) +
      Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * sin(b.longitude - a.longitude);
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(square)));
}

/**
 * A link that opens a place in the phone's map app; on other devices, which have none, a map on the Web.
 *
 * @param {{latitude: number, longitude: number}} place
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {import("../dom.js").Child} text
 */
export function mapLink({latitude, longitude}, name, attributes, text) {
  const at = `${latitude},${longitude}`;
  const agent = navigator.userAgent;
  const href = /iPhone|iPad|Macintosh/.test(agent) ? `https://maps.apple.com/?q=${encodeURIComponent(name)}&ll=${at}`
      : /Android/.test(agent)
      ? `geo:${at}?q=${at}(${encodeURIComponent(name)})`
      : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;
  // The page stays open and continues listening.
  return h("a", {...attributes, href, ...(href.startsWith("https") && {target: "_blank", rel: "noreferrer"})}, text);
}
