import {call} from "../api.js";
import {fill, h} from "../dom.js";
import {labelled, values} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

/**
 * A form for somebody who follows a search to write to the bike's owner. Answers appear on the conversation's own
 * page, whose address only this person has.
 *
 * @param {string} secret of the link
 */
export function shareMessage(secret) {
  const texts = t.shared.write;
  // The same message that is sent again begins no second conversation.
  let sent = {text: "", key: ""};
  const form =
      h("form", {}, h("p", {class: "soft"}, texts.lead),
        labelled(texts.message, h("textarea", {name: "text", required: true, maxlength: 500, rows: 4}), texts.hint),
        h("button", {class: "primary"}, texts.send));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {text = ""} = values(form);
      if (sent.text !== text) sent = {text, key: newKey()};
      const {page} = await call("POST", "/v1/share/messages", {body: sent, bearer: secret});
      fill(
          place, h("p", {class: "notice good", role: "status"}, texts.sent),
          h("a", {class: "button primary wide", href: page, target: "_blank", rel: "noreferrer"}, texts.open));
    });
  });
  const place = h("div", {class: "stack"}, form);
  return h("details", {class: "card"}, h("summary", {}, texts.title), place);
}

/** 32 random bytes as URL-safe Base64. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
