import {all, call, create, Problem} from "../api.js";
import {fill, h} from "../dom.js";
import {moment} from "../format.js";
import {ask, copyable, labelled, may, values} from "../parts.js";
import {attempt} from "../problems.js";
import {messageTexts} from "../text/messages.js";

/**
 * @typedef {import("../parts.js").Bike} Bike
 * @typedef {{from: "finder" | "owner", time: string, text: string}} Message
 * @typedef {{id: string, origin: "sticker" | "beacon" | "number", began: string, messages: Message[], count: number,
 * waiting: boolean, closed?: string, blocked: boolean, reported?: string, deleted?: string}} Conversation
 */

/**
 * The bike's sticker, and what finders have written; null for a member who may not read it.
 *
 * @param {string} id the bike's
 * @param {Promise<Bike>} found
 */
export async function messages(id, found) {
  const texts = messageTexts();
  const path = `/v1/bikes/${id}`;
  const bike = await found;
  if (!may(bike, "report")) return null;
  const items = /** @type {Conversation[]} */ (await all(`${path}/conversations`));
  const waiting = new Set(items.filter((item) => item.waiting).map((item) => item.id));
  const summary = h("summary", {});
  const count = () => fill(summary, waiting.size ? `${texts.title} (${waiting.size})` : texts.title);
  count();
  const noted = (/** @type {Conversation} */ item) => {
    if (item.waiting)
      waiting.add(item.id);
    else
      waiting.delete(item.id);
    count();
  };
  return h(
      "details", {class: "card", open: waiting.size > 0, "data-part": "messages"}, summary,
      h("div", {class: "stack"}, items.length > 0 && h("p", {class: "small soft"}, texts.caution),
        items.length > 0 ? h("ul", {class: "plain-list"}, items.map((item) => row(path, item, noted)))
                         : h("p", {class: "soft"}, texts.none),
        may(bike, "manage") && sticker(path, bike)));
}

/** @param {string} text */
function short(text) { return text.length > 60 ? `${text.slice(0, 59)}…` : text; }

/**
 * A conversation; it is read when it is opened.
 *
 * @param {string} path
 * @param {Conversation} item
 * @param {(item: Conversation) => void} noted gets each later state
 */
function row(path, item, noted) {
  const texts = messageTexts();
  const place = h("div", {class: "stack"});
  const state = h("span", {});
  const draw = (/** @type {Conversation} */ item) => {
    fill(state, stateText(item));
    state.className = item.waiting ? "chip warn" : "chip";
    noted(item);
  };
  draw(item);
  const address = `${path}/conversations/${item.id}`;
  let isRead = false;
  const opened = () => {
    if (!details.open || isRead) return;
    isRead = true;
    attempt(place, async () => show(address, await call("GET", address), place, draw).catch((fault) => {
      isRead = false;
      throw fault;
    }));
  };
  const latest = item.messages.at(-1);
  const details =
      h("details", {class: "card", ontoggle: opened},
        h("summary", {},
          h("div", {}, h("p", {}, latest?.from === "owner" && `${texts.from.owner}: `, short(latest?.text ?? "")),
            h("p", {class: "row small soft"},
              `${texts.by[item.origin]} · ${moment(item.messages.at(-1)?.time ?? item.began)}`, state))),
        place);
  return h("li", {}, details);
}

/** @param {Conversation} item */
function stateText(item) {
  const texts = messageTexts();
  if (item.blocked) return texts.blocked;
  return item.closed ? texts.ended : item.waiting ? texts.waiting : texts.answered;
}

/**
 * @param {string} address
 * @param {Conversation} item
 * @param {HTMLElement} place
 * @param {(item: Conversation) => void} draw shows the conversation's state
 */
async function show(address, item, place, draw) {
  const texts = messageTexts();
  draw(item);
  const lines = item.messages.map((message) => {
    const side = message.from === "finder" && item.origin === "number" ? "buyer" : message.from;
    return h(
        "li", {class: message.from === "finder" ? "card theirs" : "card"},
        h("p", {class: "small soft"}, `${texts.from[side]} · ${moment(message.time)}`),
        message.text.split("\n").map((line) => h("p", {}, line)));
  });
  fill(
      place, h("ol", {class: "plain-list"}, lines),
      item.closed ? [
        h("p", {class: "small soft"}, texts.deleted(moment(item.deleted ?? item.closed))),
        item.reported && h("p", {class: "small soft"}, texts.reported),
      ]
                  : answerForm(address, place, draw),
      endings(address, item, place, draw));
}

/**
 * The ways to end a conversation; one that has ended can still be blocked and reported.
 *
 * @param {string} address
 * @param {Conversation} item
 * @param {HTMLElement} place
 * @param {(item: Conversation) => void} draw shows the conversation's state
 */
function endings(address, item, place, draw) {
  const texts = messageTexts();
  /** @param {{blocked: boolean, report?: string}} closure */
  const end = async (closure) => show(address, await call("PUT", `${address}/closure`, {body: closure}), place, draw);
  const askReport = () => {
    const reason = labelled(texts.reason, h("textarea", {name: "report", required: true, maxlength: 500, rows: 3}));
    ask(texts.reportTitle, [h("p", {class: "soft"}, texts.reportLead), reason], {text: texts.report, kind: "alarm"},
        async (dialog) => end({blocked: true, report: values(dialog).report}));
  };
  const askEnd = () => ask(
      texts.endTitle, [h("p", {class: "soft"}, texts.endLead)], {text: texts.end}, async () => end({blocked: false}));
  const askBlock = () =>
      ask(texts.blockTitle, [h("p", {class: "soft"}, texts.blockLead)],
          {text: texts.block, kind: "alarm", isSecond: true}, async () => end({blocked: true}));
  return h(
      "div", {class: "row"}, !item.closed && h("button", {class: "plain", onclick: askEnd}, texts.end),
      !item.blocked && h("button", {class: "plain", onclick: askBlock}, texts.block),
      !item.reported && h("button", {class: "plain danger", onclick: askReport}, texts.report));
}

/**
 * @param {string} address
 * @param {HTMLElement} place
 * @param {(item: Conversation) => void} draw shows the conversation's state
 */
function answerForm(address, place, draw) {
  const texts = messageTexts();
  // Tapping again after a lost response sends the same request, unless something was changed.
  let request = {text: "", key: ""};
  const field = h("textarea", {name: "text", required: true, maxlength: 500, rows: 3});
  const form =
      h("form", {}, labelled(texts.answer, field, texts.answerHint), h("button", {class: "primary"}, texts.send));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {text = ""} = values(form);
      if (request.text !== text) request = {text, key: crypto.randomUUID()};
      await show(address, await create(`${address}/answers`, {text}, request.key), place, draw);
    });
  });
  return form;
}

/**
 * A page to print, with QR codes.
 *
 * @param {string} sheet
 * @param {Bike} bike
 */
function printable(sheet, bike) {
  const texts = messageTexts();
  const address = URL.createObjectURL(new Blob([sheet], {type: "image/svg+xml"}));
  return h(
      "div", {class: "stack"}, h("img", {class: "sheet", src: address, alt: texts.sheet, width: 210, height: 297}),
      h("a",
        {class: "button", href: address, download: `${texts.file}-${bike.make}-${bike.model}.svg`.replaceAll(" ", "-")},
        texts.download));
}

/**
 * The bike's sticker. The page does not know whether there is one, until it has made or revoked a code.
 *
 * @param {string} path
 * @param {Bike} bike
 */
function sticker(path, bike) {
  const texts = messageTexts();
  const [place, acts] = [h("div", {class: "stack", "aria-live": "polite"}), h("div", {class: "row"})];
  const address = `${path}/sticker`;
  const make = async () => {
    const made = await call("PUT", address, {body: {}});
    fill(
        place, h("p", {class: "notice good"}, texts.made), copyable(texts.code, made.code),
        made.link && copyable(texts.link, made.link), made.sheet && printable(made.sheet, bike));
    draw(texts.replace, true);
  };
  /** @param {string} title */
  const askMake = (title) => ask(title, [h("p", {class: "soft"}, texts.makeLead)], {text: title}, make);
  const askRevoke = () =>
      ask(texts.revoke, [h("p", {class: "soft"}, texts.revokeLead)],
          {text: texts.revoke, kind: "alarm", isSecond: true}, async () => {
            const existed = await call("DELETE", address).then(() => true, (fault) => {
              if (fault instanceof Problem && fault.status === 404) return false;
              throw fault;
            });
            fill(place, h("p", {class: "notice"}, existed ? texts.revoked : texts.noCode));
            draw(texts.make, false);
          });
  /**
   * @param {string} title
   * @param {boolean} mayExist
   */
  const draw = (title, mayExist) => fill(
      acts, h("button", {class: title === texts.replace ? "plain danger" : "", onclick: () => askMake(title)}, title),
      mayExist && h("button", {class: "plain danger", onclick: askRevoke}, texts.revoke));
  draw(texts.make, true);
  return h(
      "details", {}, h("summary", {}, texts.sticker),
      h("div", {class: "stack"}, h("p", {class: "soft"}, texts.stickerLead), place, acts));
}
