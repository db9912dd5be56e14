import {all, call, create, Problem} from "../api.js";
import {fill, h} from "../dom.js";
import {moment} from "../format.js";
import {ask, copyable, labelled, may, values} from "../parts.js";
import {attempt} from "../problems.js";
import {repeat} from "../repeat.js";
import {load as loadMessageTexts, texts as messageTexts} from "../text/messages.js";
import {mapLink} from "../trail/stays.js";

/**
 * @typedef {import("../parts.js").Bike} Bike
 * @typedef {{from: "finder" | "owner", time: string, text: string}} Message
 * @typedef {{id: string, origin: "sticker" | "beacon" | "number" | "share", began: string, messages: Message[],
 * photos?: any[], count: number, waiting: boolean, closed?: string, blocked: boolean, reported?: string, deleted?:
 * string}} Conversation
 */

/**
 * The bike's sticker, and what finders have written; null for a member who may not read it.
 *
 * @param {Bike} bike
 */
export async function messages(bike) {
  if (!may(bike, "report")) return null;
  const path = `/v1/bikes/${bike.id}`;
  const [items] =
      /** @type {[Conversation[], void]} */ (await Promise.all([all(`${path}/conversations`), loadMessageTexts()]));
  const texts = messageTexts();
  const waiting = new Set(items.filter((item) => item.waiting).map((item) => item.id));
  /** @type {Map<string, ReturnType<typeof row>>} */
  const rows = new Map();
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
  const [list, hint] = [h("ul", {class: "plain-list"}), h("p", {})];
  const add = (/** @type {Conversation} */ item, isNew = false) => {
    const made = row(path, item, noted);
    rows.set(item.id, made);
    if (isNew)
      list.prepend(made.element);
    else
      list.append(made.element);
  };
  const explain = () => {
    hint.className = rows.size ? "small soft" : "soft";
    fill(hint, rows.size ? texts.caution : texts.none);
  };
  items.forEach((item) => add(item));
  explain();
  const part =
      h("details", {class: "card", open: waiting.size > 0, "data-part": "messages"}, summary,
        h("div", {class: "stack"}, hint, list, may(bike, "manage") && sticker(path, bike)));
  // The newest of those that wait are on the first page.
  repeat(async () => {
    if (!part.isConnected) return null;
    const {items} = await call("GET", `${path}/conversations?limit=50`, {isQuiet: true});
    let isNews = false;
    for (const item of /** @type {Conversation[]} */ (items)) {
      const known = rows.get(item.id);
      if (known)
        isNews = known.update(item) || isNews;
      else
        add(item, isNews = true);
    }
    explain();
    return isNews;
  });
  return part;
}

/** Who the other side is, by what led to the conversation. */
const writers = /** @type {const} */ ({sticker: "finder", beacon: "finder", number: "buyer", share: "viewer"});

/** @param {string} text */
function short(text) { return text.length > 60 ? `${text.slice(0, 59)}…` : text; }

/**
 * A conversation; it is read when it is opened. `update` takes a later state from the list, and says whether it is
 * news.
 *
 * @param {string} path
 * @param {Conversation} item
 * @param {(item: Conversation) => void} noted gets each later state
 */
function row(path, item, noted) {
  const texts = messageTexts();
  const place = h("div", {class: "stack"});
  const [latest, when, state] = [h("p", {}), h("span", {}), h("span", {})];
  let known = "";
  const draw = (/** @type {Conversation} */ item) => {
    known = mark(item);
    const last = item.messages.at(-1);
    fill(latest, last?.from === "owner" && `${texts.from.owner}: `, short(last?.text ?? ""));
    fill(when, `${texts.by[item.origin]} · ${moment(last?.time ?? item.began)}`);
    fill(state, stateText(item));
    state.className = item.waiting ? "chip warn" : "chip";
    noted(item);
  };
  draw(item);
  const address = `${path}/conversations/${item.id}`;
  let isRead = false;
  const update = (/** @type {Conversation} */ item) => {
    if (mark(item) === known) return false;
    if (isRead && details.open)
      call("GET", address, {isQuiet: true}).then((whole) => show(address, whole, place, draw), () => {});
    else
      isRead = false;
    draw(item);
    return true;
  };
  const opened = () => {
    if (!details.open || isRead) return;
    isRead = true;
    attempt(place, async () => show(address, await call("GET", address), place, draw).catch((fault) => {
      isRead = false;
      throw fault;
    }));
  };
  const details =
      h("details", {class: "card", ontoggle: opened},
        h("summary", {}, h("div", {}, latest, h("p", {class: "row small soft"}, when, state))), place);
  return {element: h("li", {}, details), update};
}

/**
 * What differs when a conversation has changed.
 *
 * @param {Conversation} item
 */
function mark({count, photos, closed, waiting, blocked, reported}) {
  return JSON.stringify([count, photos?.length, closed, waiting, blocked, reported]);
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
 * @param {boolean} [isSent] whether what was written has been sent; otherwise it stays
 */
async function show(address, item, place, draw, isSent = false) {
  const texts = messageTexts();
  draw(item);
  const [written, hasFocus] = [place.querySelector("textarea")?.value, place.contains(document.activeElement)];
  const lines = item.messages.map((message) => {
    const side = message.from === "finder" ? writers[item.origin] : message.from;
    return h(
        "li", {class: message.from === "finder" ? "card theirs" : "card", "data-time": message.time},
        h("p", {class: "small soft"}, `${texts.from[side]} · ${moment(message.time)}`),
        message.text.split("\n").map((line) => h("p", {}, withPlaces(line))));
  });
  fill(
      place,
      h("ol", {class: "plain-list"}, inOrder(lines, (item.photos ?? []).map((photo) => picture(address, photo)))),
      item.closed ? [
        h("p", {class: "small soft"}, texts.deleted(moment(item.deleted ?? item.closed))),
        item.reported && h("p", {class: "small soft"}, texts.reported),
      ]
                  : answerForm(address, place, draw),
      endings(address, item, place, draw));
  const field = place.querySelector("textarea");
  if (!field) return;
  if (written && !isSent) field.value = written;
  if (hasFocus) field.focus();
}

/**
 * Messages and photos in the order of their times.
 *
 * @param {HTMLElement[]} messages
 * @param {HTMLElement[]} photos
 */
function inOrder(messages, photos) {
  const time = (/** @type {HTMLElement} */ {dataset}) => Date.parse(dataset.time ?? "");
  return [...messages, ...photos].sort((one, other) => time(one) - time(other));
}

/**
 * A photo that a finder added. Nobody has checked what it shows, so it is loaded only after a tap.
 *
 * @param {string} address of the conversation
 * @param {{id: string, time: string, width: number, height: number}} photo
 */
function picture(address, {id, time, width, height}) {
  const texts = messageTexts();
  const path = `${address}/photos/${id}`;
  const image = () => h("img", {class: "sent", src: `${path}?size=small`, alt: texts.photo, width, height});
  const show = () => button.replaceWith(h("a", {href: path, target: "_blank"}, image()));
  const button = h("button", {type: "button", onclick: show}, texts.showPhoto);
  return h(
      "li", {class: "card theirs", "data-time": time},
      h("p", {class: "small soft"}, `${texts.photo} · ${moment(time)}`), h("div", {}, button));
}

/** A place as finders' pages write it, and as maps copy it. */
const coordinates = /(-?\d{1,2}\.\d{4,7}), ?(-?\d{1,3}\.\d{4,7})/;

/**
 * A line in which a place is a link to a map.
 *
 * @param {string} line
 */
function withPlaces(line) {
  const found = coordinates.exec(line);
  const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])];
  if (!found || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return [line];
  const name = messageTexts().from.finder;
  return [
    line.slice(0, found.index), mapLink({latitude, longitude}, name, {}, found[0]),
    line.slice(found.index + found[0].length)
  ];
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
      await show(address, await create(`${address}/answers`, {text}, request.key), place, draw, true);
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
 * The bike's sticker. Whether there is one is asked when the section is opened.
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
    draw(true);
  };
  /** @param {boolean} exists */
  const askMake = (exists) => exists ? ask(texts.replace, [h("p", {class: "soft"}, texts.makeLead)],
                                           {text: texts.replace, kind: "alarm", isSecond: true}, make)
                                     : attempt(acts, make);
  const askRevoke = () =>
      ask(texts.revoke, [h("p", {class: "soft"}, texts.revokeLead)],
          {text: texts.revoke, kind: "alarm", isSecond: true}, async () => {
            const existed = await found(call("DELETE", address)) !== undefined;
            fill(place, h("p", {class: "notice"}, existed ? texts.revoked : texts.noCode));
            draw(false);
          });
  const draw = (/** @type {boolean} */ exists) => fill(
      acts,
      h("button", {class: exists ? "plain" : "", onclick: () => askMake(exists)}, exists ? texts.replace : texts.make),
      exists && h("button", {class: "plain danger", onclick: askRevoke}, texts.revoke));
  const look = async () => {
    const made = await found(call("GET", address));
    if (made) fill(place, h("p", {class: "soft"}, texts.exists(moment(made.created))));
    draw(made !== undefined);
  };
  let isAsked = false;
  const details =
      h("details", {
        ontoggle: () => {
          if (isAsked || !details.open) return;
          isAsked = true;
          attempt(acts, () => look().catch((fault) => {
            isAsked = false;
            throw fault;
          }));
        }
      },
        h("summary", {}, texts.sticker),
        h("div", {class: "stack"}, h("p", {class: "soft"}, texts.stickerLead), place, acts));
  return details;
}

/**
 * An answer; undefined if there is no such thing.
 *
 * @param {Promise<any>} answer
 */
function found(answer) {
  return answer.catch((fault) => {
    if (fault instanceof Problem && fault.status === 404) return undefined;
    throw fault;
  });
}
