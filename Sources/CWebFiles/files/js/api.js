import {takeEarly} from "./early.js";

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

  get isOffline() { return this.status === 0; }
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
 * boolean, bearer?: string, last?: string, signal?: AbortSignal, isQuiet?: boolean}} Options `isQuiet`: the person is
 * asked for nothing
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
  const text = await response.text();
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
  let response;
  try {
    const early = method === "GET" && !options.bearer ? takeEarly(path) : undefined;
    response = await (early ?? fetch(path, {method, headers, body, credentials, signal: options.signal}));
  } catch {
    throw new Problem(0, {});
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
 * Creates something once: a retry after a lost response repeats the same key, so nothing is created twice.
 *
 * @param {string} path
 * @param {any} body
 * @param {string} key made when the form is opened, so that a second tap sends the same key
 */
export async function create(path, body, key) {
  for (let attempt = 0;; attempt++) {
    try {
      return await call("POST", path, {body, key});
    } catch (problem) {
      if (!(problem instanceof Problem) || !problem.isOffline || attempt === 2) throw problem;
      await new Promise((done) => setTimeout(done, 800 * (attempt + 1)));
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
    items.push(...(await response.json()).items);
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
