/**
 * @typedef {{visit: string, since: string, lastHeard: string, proximity: string,
 *   lookFor: {kind: string, make: string, model: string, colours: string[], photo?: string},
 *   answer?: {answer: "seen" | "absent", time: string}, receiver?: string}} Bike
 * @typedef {{station: string, time: string, contact?: string, bikes: Bike[], more: number,
 *   health: {state: "listening" | "starting" | "deaf" | "outdated" | "silent", contact?: string}}} View
 * @typedef {{view: View, at: number}} Kept `at`: when it arrived, by this screen's clock
 */

/** Relative to the page, which can be behind a proxy, under another path. */
const path = "v1/display";
const storage = "display";
/** How often the display asks, in milliseconds; less often while it is not connected. */
const period = 15_000;
const unpairedPeriod = 60_000;
/** How long a request may take; one that hangs is given up. */
const patience = 10_000;
/** After this time without an answer, the display says that the connection is lost: three requests have failed. */
const loss = 45_000;
/** A bike that was last heard this long ago is no longer shown, and not kept. */
const oldest = 3_600_000;
/** The last answer is stored at most this often, which spares the memory of a tablet. */
const storing = 60_000;

/** The registry's answer was that this screen is not connected, or another problem; `status` is 0 without an answer. */
export class Refusal extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/**
 * Sends a request and gives up after some seconds, whatever hangs.
 *
 * @param {string} method
 * @param {string} address
 * @param {any} [body]
 * @param {Record<string, string>} [headers]
 */
export async function send(method, address, body, headers = {}) {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), patience);
  const all = new Headers({Accept: "application/json", ...headers});
  if (method !== "GET") all.set("Content-Type", "application/json");
  try {
    const response = await fetch(address, {
      method,
      headers: all,
      body: body && JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal: given.signal
    });
    const text = await response.text();
    if (!response.ok) throw new Refusal(response.status);
    return text ? JSON.parse(text) : null;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(0);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What the display shows, requested every 15 seconds. It survives all failures: the last response stays, and a separate
 * timer notices that it is old.
 */
export class Feed {
  /** @type {Kept | null} */
  kept = restored();
  isLost = false;
  isPaired = true;
  /** Whether the screen was connected, and no longer is. */
  hasEnded = false;
  #heard = 0;
  #begun = 0;
  #number = 0;
  #stored = this.kept?.at ?? 0;
  #next = 0;
  #isBusy = false;
  #start = Date.now();

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    // Without an answer from this visit, what is kept may be old already.
    this.#heard = performance.now() - (this.kept ? Math.max(0, Date.now() - this.kept.at) : 0);
    this.isLost = this.kept !== null && this.#age() > loss;
    setInterval(() => this.#tick(), 1000);
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.ask());
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
  }

  /** When the last answer arrived, or the page was opened without one. */
  get since() { return this.kept?.at ?? this.#start; }

  /** Milliseconds since the last answer. A screen that slept has only the wall clock, which may be set meanwhile. */
  #age() {
    const slept = this.kept ? Date.now() - this.kept.at : 0;
    return Math.max(performance.now() - this.#heard, slept);
  }

  #tick() {
    const isLost = this.#age() > loss;
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.onChange();
    }
    if (this.kept && forgetOld(this.kept)) {
      this.#store(true);
      this.onChange();
    }
    const now = performance.now();
    // A request whose end is never reported does not stop the display.
    if (this.#isBusy ? now - this.#begun > patience + 2000 : now >= this.#next) this.ask();
  }

  /** Asks now. */
  async ask() {
    const number = ++this.#number;
    this.#isBusy = true;
    this.#begun = performance.now();
    this.#next = this.#begun + (this.isPaired ? period : unpairedPeriod);
    try {
      const view = await send("GET", path);
      if (number === this.#number) this.take(view);
    } catch (error) {
      if (number !== this.#number) return;
      if (error instanceof Refusal && error.status === 401) this.forget();
    } finally {
      if (number === this.#number) this.#isBusy = false;
    }
  }

  /** @param {View} view */
  take(view) {
    const isNew = !this.kept || shown(view) !== shown(this.kept.view) || this.isLost || !this.isPaired;
    this.kept = {view, at: Date.now()};
    this.#heard = performance.now();
    [this.isLost, this.isPaired, this.hasEnded] = [false, true, false];
    this.#store(isNew);
    if (isNew) this.onChange();
  }

  /** Forgets everything: the screen is no longer connected. */
  forget() {
    const wasPaired = this.isPaired;
    if (this.kept) this.hasEnded = true;
    [this.kept, this.isLost, this.isPaired] = [null, false, false];
    this.#heard = performance.now();
    localStorage.removeItem(storage);
    if (wasPaired) this.onChange();
  }

  /** @param {boolean} isNew */
  #store(isNew) {
    if (!this.kept || (!isNew && Math.abs(this.kept.at - this.#stored) < storing)) return;
    this.#stored = this.kept.at;
    try {
      localStorage.setItem(storage, JSON.stringify(this.kept));
    } catch {
      // Full or forbidden: then a reload without a connection shows less.
    }
  }
}

/** The last answer, for a reload without a connection; null if there is none. */
function restored() {
  try {
    const kept = JSON.parse(localStorage.getItem(storage) ?? "null");
    if (!kept || !Array.isArray(kept.view?.bikes) || typeof kept.at !== "number") return null;
    forgetOld(kept);
    return /** @type {Kept} */ (kept);
  } catch {
    return null;
  }
}

/**
 * Removes bikes that were last heard long ago. This screen's clock counts only from when the answer arrived.
 *
 * @param {Kept} kept
 */
function forgetOld({view, at}) {
  const now = Date.parse(view.time) + Math.max(0, Date.now() - at);
  const fresh = view.bikes.filter(({lastHeard}) => now - Date.parse(lastHeard) < oldest);
  const isChanged = fresh.length !== view.bikes.length;
  view.bikes = fresh;
  return isChanged;
}

/**
 * What a person sees of an answer, to compare it with the next one.
 *
 * @param {View} view
 */
function shown({time, health, bikes, ...rest}) {
  return JSON.stringify([rest, health.state, bikes.map(({lastHeard, ...bike}) => bike)]);
}
