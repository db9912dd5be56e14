import {call, Problem} from "../api.js";
import {whenSignedOut} from "../problems.js";

/** @typedef {{count: number, more?: boolean}} Counted */
/**
 * @typedef {object} Overview
 * @property {string} time
 * @property {{listening: number, deaf: number, silent: number, new: number, revoked: number, lying?: number,
 * outdated?: number, silentAfterSeconds: number}} stations
 * @property {{kind: string, waiting: Counted, oldest?: string}[]} alerts
 * @property {{kind: string, count: number, last: string, text: string}[]} deliveryErrors
 * @property {{version: number, bikes: number, entries: number, bytes: number}} missingList
 * @property {number} [unreadableBeacons]
 * @property {{bytes: number, logBytes?: number, freeBytes?: number}} database
 * @property {{taken: string}} [backup]
 * @property {{length: number, checkpoint?: string}} audit
 * @property {{since: string, reasons: {reason: string, sightings: number}[], more?: boolean}} disputed
 * @property {{claims: Counted, owners: Counted, references: Counted, messages: Counted, safety: Counted, objections:
 * Counted, searches: Counted}} reviews
 */

/** The time between two looks, in milliseconds. */
const pause = 60_000;

/** @type {((overview: Overview) => void) | null} */
let listener = null;
let timer = 0;

/**
 * Requests the registry's state each minute. The registry does not count this as use of the session. So this request
 * notices when an unused desk has been signed out, and its page then leaves the screen.
 *
 * @param {(overview: Overview) => void} onChange
 */
export function watch(onChange) {
  listener = onChange;
  clearInterval(timer);
  timer = setInterval(() => look().catch(() => {}), pause);
}

export function unwatch() {
  listener = null;
  clearInterval(timer);
}

/**
 * The registry's state now.
 *
 * @returns {Promise<Overview>}
 */
export async function look() {
  const heard = listener;
  try {
    const overview = await call("GET", "/v1/overview");
    if (heard === listener) listener?.(overview);
    return overview;
  } catch (error) {
    if (heard && heard === listener && error instanceof Problem && error.status === 401) {
      unwatch();
      whenSignedOut();
    }
    throw error;
  }
}
