import {locale, t} from "./text.js";

/**
 * Prepares the language's formats, which takes a slow phone a tenth of a second: better while it waits for the registry
 * than when it has the answer.
 */
export function prepareFormats() { [day(new Date()), moment(new Date(0)), distance(10)].join(); }

/** @param {Date | string} time */
export function clock(time) {
  return new Intl.DateTimeFormat(locale, {hour: "2-digit", minute: "2-digit"}).format(new Date(time));
}

/**
 * A day relative to today, or its date, as in the middle of a sentence.
 *
 * @param {Date | string} time
 */
export function day(time) {
  const date = new Date(time);
  const days = Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
  if (days === 0 || days === 1) {
    return new Intl.RelativeTimeFormat(locale, {numeric: "auto"}).format(-days, "day");
  }
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(locale, {weekday: "short", day: "numeric", month: "short", year}).format(date);
}

/** @param {Date} date */
function midnight(date) { return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime(); }

/**
 * Text at the beginning of a sentence.
 *
 * @param {string} text
 */
export function capital(text) { return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1); }

/** @param {Date | string} time */
export function moment(time) { return `${day(time)}, ${clock(time)}`; }

/**
 * A stay's times, e.g. “09:54 to 11:54”.
 *
 * @param {string} first
 * @param {string} last
 */
export function span(first, last) {
  const [from, to] = [clock(first), clock(last)];
  if (day(first) !== day(last)) return t.span(from, moment(last));
  return from === to ? from : t.span(from, to);
}

/**
 * How long ago, e.g. “3 minutes ago”.
 *
 * @param {Date | string} time
 */
export function ago(time) {
  const minutes = Math.round((Date.now() - new Date(time).getTime()) / 60_000);
  const relative = new Intl.RelativeTimeFormat(locale, {numeric: "auto"});
  if (minutes < 1) return t.justNow;
  if (minutes < 60) return relative.format(-minutes, "minute");
  if (minutes < 48 * 60) return relative.format(-Math.round(minutes / 60), "hour");
  return relative.format(-Math.round(minutes / 1440), "day");
}

/**
 * A time that is complete on paper: date, year, time and time zone.
 *
 * @param {Date | string} time
 * @param {string} [zone] the zone's name; this device's if it is absent
 */
export function fullTime(time, zone) { return full(long, zone).format(new Date(time)); }

/**
 * A span of time that is complete on paper.
 *
 * @param {string} first
 * @param {string} last
 * @param {string} [zone]
 */
export function fullSpan(first, last, zone) {
  return full({...long, month: "short"}, zone).formatRange(new Date(first), new Date(last));
}

/**
 * @param {Date | string} time
 * @param {string} [zone]
 */
export function fullDate(time, zone) {
  return full({day: "numeric", month: "long", year: "numeric"}, zone).format(new Date(time));
}

const long = /** @type {const} */ (
    {day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short"});

/**
 * @param {Intl.DateTimeFormatOptions} options
 * @param {string} [zone]
 */
function full(options, zone) {
  try {
    return new Intl.DateTimeFormat(locale, {...options, timeZone: zone});
  } catch {
    // The browser may not know the zone.
    return new Intl.DateTimeFormat(locale, options);
  }
}

/**
 * How long something takes, e.g. “12 minutes”.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  const [value, unit] = seconds < 120 ? [seconds, "second"]
      : seconds < 7200                ? [Math.ceil(seconds / 60), "minute"]
      : seconds <= 86_400             ? [Math.ceil(seconds / 3600), "hour"]
                                      : [Math.ceil(seconds / 86_400), "day"];
  return new Intl.NumberFormat(locale, {style: "unit", unit, unitDisplay: "long"}).format(value);
}

/** @param {number} metres */
export function distance(metres) {
  const [value, unit] =
      metres < 950 ? [Math.max(10, Math.round(metres / 10) * 10), "meter"] : [metres / 1000, "kilometer"];
  const digits = unit === "kilometer" && value < 10 ? 1 : 0;
  return new Intl.NumberFormat(locale, {style: "unit", unit, maximumFractionDigits: digits}).format(value);
}

/**
 * The value of a `datetime-local` field.
 *
 * @param {Date} time
 */
export function localInput(time) {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
