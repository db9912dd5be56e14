import {languages} from "./text/languages.js";

/**
 * The language that there are texts in, by the person's choice and the browser's languages.
 *
 * @param {string | null | undefined} wished
 */
export function chosen(wished) {
  const codes = [wished, ...navigator.languages].map((code) => code?.slice(0, 2).toLowerCase());
  return codes.find((code) => code && code in languages) ?? "en";
}

/** The language that the person has chosen, in a cookie so that the pages that the registry writes know it, too. */
export function keptLanguage() { return /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1]; }

/** @param {string} code */
export function keepLanguage(code) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `language=${code}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/** The language whose texts the service worker keeps. */
let keptFor = "";

/**
 * Keeps the pages, with the texts of a language, for times without a connection.
 *
 * @param {string} code
 */
export function keepPages(code) {
  if (keptFor === code || !("serviceWorker" in navigator)) return;
  keptFor = code;
  navigator.serviceWorker.register(`/service-worker.js?language=${code}`).catch(() => {});
}

/**
 * The browser's form of a language, such as en-GB, for dates and numbers.
 *
 * @param {string} code
 */
export function localeOf(code) { return navigator.languages.find((name) => name.startsWith(code)) ?? code; }
