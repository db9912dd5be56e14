import {all, Problem, send} from "../api.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

/** The server sends something every 15 s; a connection that is silent for longer is lost. */
const silence = 45_000;

/**
 * Follows the sightings of a search: those stored so far, then each change as it is stored. `EventSource` can send no
 * secret and does not notice a silent connection, so this reads the stream itself. The stream is closed while the page
 * is hidden.
 *
 * @param {string} path the search's sightings
 * @param {object} options
 * @param {string} [options.secret] of the link through which the search is seen; without it the session counts
 * @param {Sighting[]} [options.known] the sightings so far
 * @param {(sightings: Sighting[]) => void} options.onChange
 * @param {(isLive: boolean, since: Date) => void} options.onState `since`: when something last arrived
 * @param {(status: number) => void} options.onEnd called once the search can no longer be seen
 * @returns {() => void} ends it
 */
export function follow(path, {secret, known = [], onChange, onState, onEnd}) {
  /** @type {Map<string, Sighting>} */
  const sightings = new Map();
  /** @type {AbortController | null} */
  let reading = null;
  let last = "";
  let pending = 0;
  let retry = 0;
  let arrived = new Date();
  // A link says no identifier of a station.
  const put = (/** @type {Sighting} */ sighting) =>
      sightings.set(`${sighting.station.id ?? sighting.station.name} ${sighting.id}`, sighting);
  // A long trail arrives as many events; draw it once.
  const draw = () => {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      onChange([...sightings.values()]);
    });
  };
  const again = (/** @type {number} */ wait) => {
    clearTimeout(retry);
    retry = setTimeout(open, wait);
  };
  const note = () => {
    arrived = new Date();
    onState(true, arrived);
    again(silence);
  };

  async function open() {
    reading?.abort();
    clearTimeout(retry);
    if (document.hidden) return;
    onState(false, arrived);
    const {signal} = reading = new AbortController();
    again(silence);
    let [wait, isPolled] = [5000, false];
    try {
      const response = await send("GET", path, {accept: "text/event-stream", bearer: secret, last, signal});
      draw();
      await eachEvent(response, note, (id, data) => {
        last = id;
        put(JSON.parse(data));
        draw();
      });
      // The server ends it when the session or the link ends, or when it is restarted.
      wait = 1000;
    } catch (error) {
      if (signal.aborted) return;
      const status = error instanceof Problem ? error.status : 0;
      if ([401, 404, 410].includes(status)) {
        stop();
        return onEnd(status);
      }
      // Too many are watching: poll instead.
      if (status === 429) {
        wait = 30_000;
        const stored = await all(`${path}?limit=100`, {bearer: secret}).catch(() => null);
        stored?.forEach(put);
        if (stored) [arrived, isPolled] = [new Date(), true];
        draw();
      }
    }
    if (signal.aborted) return;
    onState(isPolled, arrived);
    again(wait);
  }

  function stop() {
    document.removeEventListener("visibilitychange", open);
    cancelAnimationFrame(pending);
    clearTimeout(retry);
    reading?.abort();
  }

  known.forEach(put);
  document.addEventListener("visibilitychange", open);
  open();
  return stop;
}

/**
 * Reads server-sent events (HTML Standard, section 9.2) until the stream ends.
 *
 * @param {Response} response
 * @param {() => void} onData
 * @param {(id: string, data: string) => void} onSighting
 */
async function eachEvent(response, onData, onSighting) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    onData();
    const {done, value} = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s)));
      if (fields.event === "sighting") onSighting(fields.id, fields.data);
    }
  }
}
