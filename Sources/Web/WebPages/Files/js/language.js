import {h} from "./dom.js";
import {language, setLanguage} from "./text.js";

const names = /** @type {Record<string, string>} */ ({en: "English", de: "Deutsch"});

/**
 * Keeps the language that the person has chosen: for these pages, and in a cookie for those that the registry writes.
 *
 * @param {string} code
 */
export function keepLanguage(code) {
  localStorage.setItem("language", code);
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `language=${code}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/** A button for each language that the page is not in. */
export function languageChoice() {
  return Object.keys(names).filter((code) => code !== language).map((code) => {
    const choose = async () => {
      keepLanguage(code);
      await setLanguage(code);
      dispatchEvent(new CustomEvent("page:renew"));
    };
    return h("button", {type: "button", class: "plain", lang: code, onclick: choose}, names[code]);
  });
}
