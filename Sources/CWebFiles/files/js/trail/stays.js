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
 * The sightings in the order of their own times, the latest first.
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
 * A sighting's radius on the map in metres: the station's accuracy and the reach of the beacon.
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
  const h = sin(b.latitude - a.latitude) +
      Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * sin(b.longitude - a.longitude);
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * The phone's map app.
 *
 * @param {{latitude: number, longitude: number}} place
 * @param {string} name
 */
export function mapLink({latitude, longitude}, name) {
  const isApple = /iPhone|iPad|Macintosh/.test(navigator.userAgent);
  const at = `${latitude},${longitude}`;
  return isApple ? `https://maps.apple.com/?q=${encodeURIComponent(name)}&ll=${at}`
                 : `geo:${at}?q=${at}(${encodeURIComponent(name)})`;
}
