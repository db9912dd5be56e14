import {h} from "./dom.js";
import {keepLanguage} from "./locale.js";
import {language, setLanguage, t} from "./text.js";
import {languages} from "./text/languages.js";

/** The choice of a language, with the name of each in itself. */
export function languageChoice() {
  const choose = async () => {
    keepLanguage(select.value);
    await setLanguage(select.value);
    dispatchEvent(new CustomEvent("page:renew"));
  };
  const select =
      h("select", {class: "language", "aria-label": t.language, onchange: choose},
        Object.entries(languages).map(
            ([code, name]) => h("option", {value: code, lang: code, selected: code === language}, name)));
  return select;
}
