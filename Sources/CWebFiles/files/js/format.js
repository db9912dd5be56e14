import {locale, t} from "./text.js";

/** @param {Date | string} time */
export function clock(time) {
  return new Intl.DateTimeFormat(locale, {hour: "2-digit", minute: "2-digit"}).format(new Date(time));
}

/**
 * A day relative to today, or its date.
 *
 * @param {Date | string} time
 */
export function day(time) {
  const date = new Date(time);
  const days = Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
  if (days === 0 || days === 1) {
    return capital(new Intl.RelativeTimeFormat(locale, {numeric: "auto"}).format(-days, "day"));
  }
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(locale, {weekday: "short", day: "numeric", month: "short", year}).format(date);
}

/** @param {Date} date */
function midnight(date) { return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime(); }

/** @param {string} text */
function capital(text) { return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1); }

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
