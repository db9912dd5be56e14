import {call} from "../../api.js";
import {h} from "../../dom.js";
import {moment} from "../../format.js";
import {askRemoval} from "../../parts.js";
import {eachPage, short, since} from "../parts.js";
import {d} from "../text.js";

/** @typedef {"finder" | "buyer" | "owner"} Side */

/** Conversations that a finder, a buyer or an owner has reported. */
export async function page() {
  const texts = d.messages;
  const title = h("h1", {}, texts.title);
  const none = h("p", {class: "notice good"}, texts.none);
  const list = h("ul", {class: "plain-list"});
  const settled = () => {
    none.hidden = list.childElementCount > 0;
    // The dialog gives the focus back to the button that is gone.
    setTimeout(() => title.focus());
  };
  const more = await eachPage("/v1/reported-conversations", (item) => list.append(conversation(item, settled)));
  none.hidden = list.childElementCount > 0;
  const view =
      h("div", {class: "stack wide-gaps readable"}, title, h("p", {class: "lead"}, texts.lead), none, list, more);
  return {title: texts.title, view};
}

/**
 * What strangers wrote, as text.
 *
 * @param {any} item
 * @param {() => void} settled
 */
function conversation({conversation, bike, owner, reason, reportedBy}, settled) {
  const texts = d.messages;
  const place = h("li", {class: "card"});
  const settle = () => askRemoval(texts.settleTitle, texts.settleLead, texts.settle, async () => {
    await call("DELETE", `/v1/reported-conversations/${conversation.id}`);
    place.remove();
    settled();
  });
  // People who write because of the bike's number have found nothing, but want to buy it.
  const side = (/** @type {Side} */ from) => from === "finder" && conversation.origin === "number" ? "buyer" : from;
  const by = texts.reportedBy[side(reportedBy)];
  place.append(
      h("h2", {}, by(moment(conversation.reported))), reason ? h("blockquote", {}, lines(reason)) : "",
      h("ol", {class: "plain-list"},
        conversation.messages.map(
            (/** @type {{from: Side, time: string, text: string}} */ message) =>
                h("li", {class: "notice"},
                  h("p", {class: "small soft"}, `${texts.from[side(message.from)]} · `, since(message.time)),
                  lines(message.text)))),
      h("div", {class: "row"},
        (conversation.photos ?? []).map((/** @type {any} */ photo) => picture(conversation.id, photo))),
      h("p", {class: "small soft"},
        `${texts.by[/** @type {keyof typeof texts.by} */ (conversation.origin)]} · ${d.reviews.bike} `, short(bike),
        conversation.deleted ? ` · ${texts.deleted(moment(conversation.deleted))}` : ""),
      h("div", {class: "row"}, h("a", {class: "button", href: `/desk/owners/${owner}`}, texts.seeOwner),
        h("button", {type: "button", onclick: settle}, texts.settle)));
  return place;
}

/**
 * A photo that a finder added. It is loaded only after a click, because it may be disturbing.
 *
 * @param {string} id of the conversation
 * @param {{id: string}} photo
 */
function picture(id, photo) {
  const path = `/v1/reported-conversations/${id}/photos/${photo.id}?size=small`;
  const show = () => button.replaceWith(h("img", {class: "sent", src: path, alt: d.messages.photo}));
  const button = h("button", {type: "button", onclick: show}, d.messages.showPhoto);
  return button;
}

/** @param {string} text */
function lines(text) { return text.split("\n").map((line) => h("p", {}, line)); }
