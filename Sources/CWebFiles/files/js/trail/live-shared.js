import {all, Problem, send} from "../api.js";

/** @typedef {import("./stays.js").Sighting} Sighting */

const path = "/v1/share/sightings";
/** The server sends something every 15 s; a connection that is silent for longer is lost. */
const silence = 45_000;

/**
 * Follows the sightings of a shared search: those stored so far, then each change as it is stored. `EventSource` cannot
 * send the secret, so this reads the stream itself. The stream is closed while the page is hidden.
 *
 * @param {string} secret
 * @param {(sightings: Sighting[]) => void} onChange
 * @param {(isLive: boolean) => void} onState
 * @param {() => void} onEnd called once the link shows nothing any more
 * @returns {() => void} ends it
 */
export function followShared(secret, onChange, onState, onEnd) {
  /** @type {Map<string, Sighting>} */
  const sightings = new Map();
  /** @type {AbortController | null} */
  let reading = null;
  let last = "";
  let pending = 0;
  let retry = 0;
  const put = (/** @type {any} */ sighting) =>
      sightings.set(`${sighting.station.name} ${sighting.id}`, {...sighting, reasons: []});
  // A long trail arrives as many events; draw it once.
  const draw = () => {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      onChange([...sightings.values()].filter((sighting) => !sighting.dismissed));
    });
  };
  const again = (/** @type {number} */ wait) => {
    clearTimeout(retry);
    retry = setTimeout(open, wait);
  };

  async function open() {
    clearTimeout(retry);
    reading?.abort();
    onState(false);
    if (document.hidden) return;
    const {signal} = reading = new AbortController();
    let wait = 5000;
    try {
      const response = await send("GET", path, {accept: "text/event-stream", bearer: secret, last, signal});
      onState(true);
      draw();
      await eachEvent(response, () => again(silence), (id, data) => {
        last = id;
        put(JSON.parse(data));
        draw();
      });
      // The server ends it when the link ends, or when it is restarted.
      wait = 1000;
    } catch (error) {
      if (signal.aborted) return;
      const status = error instanceof Problem ? error.status : 0;
      if (status === 401 || status === 410) {
        stop();
        return onEnd();
      }
      // Too many watch at once: look from time to time.
      if (status === 429) {
        wait = 30_000;
        (await all(`${path}?limit=100`, {bearer: secret}).catch(() => [])).forEach(put);
        draw();
      }
    }
    if (signal.aborted) return;
    onState(false);
    again(wait);
  }

  function stop() {
    document.removeEventListener("visibilitychange", open);
    cancelAnimationFrame(pending);
    clearTimeout(retry);
    reading?.abort();
  }

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
