import {h} from "./dom.js";
import {t} from "./text.js";

/** Says for some seconds that something was saved, at the edge of the screen, so that the page stays as it is. */
export function saySaved() {
  document.querySelector(".toast")?.remove();
  const note = h("p", {class: "toast", role: "status"});
  document.body.append(note);
  // A screen reader reads what is added to a status, not one that comes with its text.
  note.append(t.saved);
  setTimeout(() => note.remove(), 5000);
}

/** Shows the page again with what was saved, at the same place. */
export function renewPage() { dispatchEvent(new CustomEvent("page:renew", {detail: saySaved})); }
