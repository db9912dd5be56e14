import {call} from "../api.js";
import {locale} from "../text.js";

/** @typedef {"listening" | "deaf" | "silent" | "new"} State */
/**
 * A station in few bytes, as there may be thousands.
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} name
 * @property {string} key the name as it is searched for
 * @property {State} state
 * @property {string | null} last when its last heartbeat came
 * @property {number} x the place in Web Mercator, from 0 in the west to 1 in the east
 * @property {number} y from 0 in the north to 1 in the south
 */

/** What needs a person comes first. */
const order = {
  silent: 0,
  deaf: 1,
  new: 2,
  listening: 3
};

/**
 * All stations that are not revoked, those that do not work first, each state in the order of names.
 *
 * @returns {Promise<{rows: Row[], more: boolean}>} `more`: there are stations that the registry left out
 */
export async function readStations() {
  const {stations, more} = await call("GET", "/v1/station-map");
  const rows = stations.map(read);
  const {compare} = new Intl.Collator(locale, {numeric: true});
  rows.sort((/** @type {Row} */ a, /** @type {Row} */ b) => order[a.state] - order[b.state] || compare(a.name, b.name));
  return {rows, more};
}

/**
 * @param {[string, string, number, number, State, string | null]} station
 * @returns {Row}
 */
function read([id, name, latitude, longitude, state, last]) {
  // The poles are infinitely far away on this map (EPSG:3857), so it ends at 85°.
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return {
    id,
    name,
    key: name.toLocaleLowerCase(locale),
    state,
    last,
    x: longitude / 360 + 0.5,
    y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  };
}

/**
 * The stations whose name contains a text, and that are in a state.
 *
 * @param {Row[]} rows
 * @param {string} text
 * @param {string} state empty for all
 */
export function matching(rows, text, state) {
  const key = text.trim().toLocaleLowerCase(locale);
  return rows.filter((row) => (!state || row.state === state) && (!key || row.key.includes(key)));
}
