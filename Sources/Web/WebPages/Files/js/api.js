/** @type {((path: string) => Promise<Response> | undefined) | undefined} early.js */
const takeEarly = /** @type {any} */ (globalThis).takeEarly;
/** @type {(() => void) | undefined} */
const forgetEarly = /** @type {any} */ (globalThis).forgetEarly;

/** The milliseconds that a request may take, and one that sends or gets a file. */
const [longest, longestOfFile] = [15_000, 180_000];

/**
 * A request that did not succeed. `status` is 0 if no response arrived.
 */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {{title?: string, detail?: string, type?: string, errors?: {pointer: string, detail: string}[]}} body
   * @param {number} [wait] the seconds after which to try again
   */
  constructor(status, body, wait = 0) {
    super(body.detail ?? body.title ?? "");
    this.status = status;
    /** The last part of the problem's type, e.g. `invalid-fields`. */
    this.kind = (body.type ?? "").split(":").pop() ?? "";
    this.errors = body.errors ?? [];
    this.wait = wait;
  }
}

/** A request without a response: it is unknown what it has changed, unless it never left this device. */
export class Unanswered extends Problem {
  /**
   * @param {boolean} isRead whether it would have changed nothing
   * @param {boolean} isSent whether it may have left this device
   */
  constructor(isRead, isSent) {
    super(0, {});
    this.isRead = isRead;
    this.isSent = isSent;
  }
}

/** @type {() => Promise<void>} */
let confirm = async () => {};
/** @type {() => Promise<string>} */
let recoveryCode = async () => "";

/**
 * Sets what asks the person for their passkey before a dangerous act.
 *
 * @param {() => Promise<void>} ask
 * @param {() => Promise<string>} askCode asks for a recovery code, which the most dangerous acts need
 */
export function confirmBy(ask, askCode) {
  confirm = ask;
  recoveryCode = askCode;
}

/**
 * @typedef {{body?: any, form?: Blob, etag?: string, key?: string, accept?: string, code?: string, isConfirmed?:
 * boolean, bearer?: string, last?: string, signal?: AbortSignal, isQuiet?: boolean, within?: number}} Options
 * `isQuiet`: the person is asked for nothing; `within`: the milliseconds that it may take, if `signal` does not end it
 */

/** When the shown data was fetched, if the network is down and it comes from this device; otherwise null. */
export let staleSince = /** @type {Date | null} */ (null);

/**
 * Calls the registry with this browser's session.
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>} the parsed JSON; null without a body
 */
export async function call(method, path, options = {}) {
  const response = await send(method, path, options);
  const text = await response.text().catch(() => {
    throw new Unanswered(method === "GET", true);
  });
  return text ? JSON.parse(text) : null;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Response>} a successful response
 */
export async function send(method, path, options = {}) {
  const headers = new Headers({Accept: options.accept ?? "application/json"});
  // Also without a body: it shows that no form of another site sent the request.
  if (method !== "GET") headers.set("Content-Type", "application/json");
  if (options.form) headers.set("Content-Type", options.form.type);
  if (options.etag) headers.set("If-Match", options.etag);
  if (options.key) headers.set("Idempotency-Key", options.key);
  if (options.code) headers.set("Recovery-Code", options.code);
  // The secret of a link takes the place of this browser's session.
  if (options.bearer) headers.set("Authorization", `Bearer ${options.bearer}`);
  if (options.last) headers.set("Last-Event-ID", options.last);
  const credentials = options.bearer ? "omit" : "same-origin";
  const body = options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const isFile = options.form || options.accept?.startsWith("image/");
  const signal = options.signal ?? ending(options.within ?? (isFile ? longestOfFile : longest));
  const isSent = navigator.onLine;
  let response;
  try {
    if (method !== "GET") forgetEarly?.();
    const early = method === "GET" && !options.bearer ? takeEarly?.(path) : undefined;
    response = await orEnd(early ?? fetch(path, {method, headers, body, credentials, signal}), signal);
  } catch {
    throw new Unanswered(method === "GET", isSent);
  }
  const cached = response.headers.get("X-Cached");
  staleSince = cached ? new Date(response.headers.get("Date") ?? Date.now()) : null;
  if (response.ok) return response;
  const wait = Number(response.headers.get("Retry-After")) || 0;
  const problem = new Problem(response.status, await response.json().catch(() => ({})), wait);
  if (problem.kind === "confirmation-needed" && !options.isConfirmed && !options.isQuiet) {
    await confirm();
    return send(method, path, {...options, isConfirmed: true});
  }
  if (problem.kind === "recovery-code-needed" && !options.code && !options.isQuiet) {
    return send(method, path, {...options, code: await recoveryCode()});
  }
  throw problem;
}

/**
 * A signal that ends a request, and the reading of its response, after a time: a bad line can hold one for minutes.
 *
 * @param {number} milliseconds
 */
function ending(milliseconds) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/**
 * A response, or a failure as soon as the signal ends the wait: the early request knows no signal.
 *
 * @param {Promise<Response>} response
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
function orEnd(response, signal) {
  return new Promise((resolve, refuse) => {
    signal.addEventListener("abort", () => refuse(signal.reason));
    response.then(resolve, refuse);
  });
}

/**
 * Creates something once: a retry after a lost response repeats the same key, so nothing is created twice.
 *
 * @param {string} path
 * @param {any} body
 * @param {string} key made when the form is opened, so that a second tap sends the same key
 */
export async function create(path, body, key) {
  const begin = Date.now();
  let isSent = false;
  for (let attempt = 1;; attempt++) {
    isSent ||= navigator.onLine;
    try {
      return await call("POST", path, {body, key, within: begin + longest - Date.now()});
    } catch (problem) {
      if (!(problem instanceof Unanswered)) throw problem;
      const pause = 800 * attempt;
      const isEnd = attempt === 3 || !navigator.onLine || Date.now() + pause - begin > longest - 2000;
      if (isEnd) throw new Unanswered(false, isSent);
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

/**
 * All pages of a collection.
 *
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any[]>}
 */
export async function all(path, options) {
  const items = [];
  for (let next = /** @type {string | undefined} */ (path); next && items.length < 10_000;) {
    const response = await send("GET", next, options);
    const page = await response.json().catch(() => {
      throw new Unanswered(true, true);
    });
    items.push(...page.items);
    next = /<([^>]+)>;\s*rel="?next/.exec(response.headers.get("Link") ?? "")?.[1];
  }
  return items;
}

/**
 * Changes a resource that the person is editing, based on the version that was read.
 *
 * @param {string} path
 * @param {any} patch
 */
export async function change(path, patch) {
  const etag = (await send("GET", path)).headers.get("ETag") ?? "";
  return call("PATCH", path, {body: patch, etag});
}
