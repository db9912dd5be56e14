import {all, call, Problem} from "../api.js";
import {whenSignedOut} from "../problems.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

/**
 * Follows the sightings of a report: those stored so far, then each change as it is stored. The stream is closed while
 * the page is hidden.
 *
 * @param {string} path the report's sightings
 * @param {(sightings: Sighting[]) => void} onChange
 * @param {(isLive: boolean) => void} onState
 * @param {Promise<Sighting[]>} [known] the sightings so far, if they are asked for already
 * @returns {Promise<() => void>} ends it
 */
export async function follow(path, onChange, onState, known = all(`${path}?limit=100`)) {
  /** @type {Map<string, Sighting>} */
  const sightings = new Map();
  const put = (/** @type {Sighting} */ sighting) => sightings.set(`${sighting.station.id} ${sighting.id}`, sighting);
  (await known).forEach(put);
  onChange([...sightings.values()]);

  /** @type {EventSource | null} */
  let source = null;
  let pending = 0;
  let retry = 0;
  let isFollowed = true;
  const open = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
    onState(false);
    if (!isFollowed || document.hidden) return;
    source = new EventSource(path);
    source.addEventListener("open", () => onState(true));
    source.addEventListener("error", () => {
      onState(false);
      // The browser itself tries again after a lost connection, but not after a response such as 502.
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(reopen, 5000);
    });
    source.addEventListener("sighting", (event) => {
      put(JSON.parse(event.data));
      // A long trail arrives as many events; draw it once.
      pending ||= requestAnimationFrame(() => {
        pending = 0;
        onChange([...sightings.values()]);
      });
    });
  };
  // Somebody who was signed out elsewhere must not go on looking at a trail that stands still.
  const reopen = () => call("GET", `${path}?limit=1`).then(open, (problem) => {
    if (isFollowed && problem instanceof Problem && problem.status === 401) return whenSignedOut();
    // Nor somebody who was removed from the bike, or whose bike was erased: the page then says so.
    if (isFollowed && problem instanceof Problem && problem.status === 404)
      return dispatchEvent(new CustomEvent("page:go", {detail: location.pathname}));
    open();
  });
  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    isFollowed = false;
    document.removeEventListener("visibilitychange", open);
    cancelAnimationFrame(pending);
    clearTimeout(retry);
    source?.close();
  };
}
