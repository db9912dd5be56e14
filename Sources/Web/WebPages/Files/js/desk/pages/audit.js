import {call} from "../../api.js";
import {h} from "../../dom.js";
import {localInput, moment} from "../../format.js";
import {labelled, values} from "../../parts.js";
import {actions} from "../actions.js";
import {number} from "../numbers.js";
import {row, table} from "../parts.js";
import {d} from "../text.js";

const resources = /** @type {const} */ (["owner", "bike", "report", "station"]);
const size = 25;
const identifiers = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const isNarrow = () => matchMedia("(max-width: 48rem)").matches;

/** The audit with a search; its address holds the search, so that it can be kept and repeated. */
export async function page() {
  const texts = d.audit;
  const asked = new URLSearchParams(location.search);
  const query = new URLSearchParams({order: "newest", limit: String(size)});
  for (const name of [...resources, "action", "since", "until", "cursor"]) {
    const value = asked.get(name);
    if (value) query.set(name, value);
  }
  const found = await call("GET", `/v1/audit?${query}`);
  const heads = [texts.number, texts.time, texts.what, texts.who, texts.about, texts.details];
  const rows = found.items.map((/** @type {any} */ entry) => line(heads, entry));
  const view =
      h("div", {class: "stack wide-gaps"}, h("h1", {}, texts.title), h("p", {class: "lead"}, texts.lead), form(asked),
        rows.length ? log(table(texts.title, heads, rows)) : h("p", {class: "notice"}, texts.none),
        steps(asked, found.next),
        h("div", {class: "row"},
          h("a", {class: "button", href: "/v1/audit/checkpoint", download: "checkpoint.json"}, texts.checkpoint)),
        h("p", {class: "small soft readable"}, texts.checkpointHint));
  return {title: texts.title, view};
}

/**
 * A table whose rows are short on a phone: the columns explain themselves.
 *
 * @param {HTMLElement} list
 */
function log(list) {
  list.classList.add("log");
  return list;
}

/** @param {URLSearchParams} asked */
function form(asked) {
  const texts = d.audit;
  const kind = resources.find((name) => asked.has(name)) ?? "";
  const time = (/** @type {string} */ name) => {
    const value = new Date(asked.get(name) ?? "");
    return h("input", {type: "datetime-local", name, value: isNaN(value.getTime()) ? "" : localInput(value)});
  };
  const form =
      h("form", {class: "fields", role: "search"}, labelled(texts.action, h("input", {
                                                              name: "action",
                                                              value: asked.get("action") ?? "",
                                                              maxlength: 64,
                                                              autocomplete: "off",
                                                              spellcheck: "false",
                                                              list: "actions",
                                                              placeholder: "station.revoked"
                                                            })),
        h("datalist", {id: "actions"}, actions.map((value) => h("option", {value}))),
        labelled(
            texts.about,
            h("select", {name: "kind"},
              Object.entries(texts.resources).map(([value,
                                                    name]) => h("option", {value, selected: value === kind}, name)))),
        labelled(d.id, h("input", {
                   name: "id",
                   value: kind ? asked.get(kind) : "",
                   maxlength: 36,
                   autocomplete: "off",
                   spellcheck: "false",
                   class: "mono",
                   pattern: "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
                   title: texts.aboutNeedsID
                 })),
        labelled(texts.from, time("since")), labelled(texts.until, time("until")),
        h("button", {class: "primary"}, texts.search));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const {action, kind, id, since, until} = values(form);
    const query = new URLSearchParams({
      ...(action && {action}),
      ...(kind && id && {[kind]: id}),
      ...(since && {since: new Date(since).toISOString()}),
      ...(until && {until: new Date(until).toISOString()}),
    });
    dispatchEvent(new CustomEvent("page:go", {detail: `/desk/audit?${query}`}));
  });
  // On a phone it would fill the screen before the first entry.
  const isFolded = isNarrow() && ![...asked.keys()].length;
  return isFolded ? h("details", {class: "card"}, h("summary", {}, texts.search), form) : card(form);
}

/** @param {HTMLElement} form */
function card(form) { return h("div", {class: "card"}, form); }

/**
 * The ways to earlier entries and back to the latest ones.
 *
 * @param {URLSearchParams} asked
 * @param {string} [next]
 */
function steps(asked, next) {
  const first = new URLSearchParams(asked);
  first.delete("cursor");
  const following = new URLSearchParams(first);
  following.set("cursor", next ?? "");
  return h(
      "div", {class: "row"},
      asked.has("cursor") && h("a", {class: "button", href: `/desk/audit?${first}`}, d.audit.first),
      next && h("a", {class: "button", href: `/desk/audit?${following}`}, d.audit.next));
}

/**
 * @param {string[]} heads
 * @param {any} entry
 */
function line(heads, {index, event, erasedBy}) {
  const texts = d.audit;
  if (!event) {
    const erased = erasedBy ? texts.erased(number(erasedBy)) : texts.erasedPlain;
    return row(heads, [number(index), "", h("span", {class: "soft"}, erased), "", "", ""]);
  }
  const about = resources.filter((name) => event[name])
                    .map((name) => h("div", {}, `${texts.resources[name]} `, link(name, event[name])));
  const details = Object.entries(event.details)
                      .map(([name, value]) => h("div", {}, h("span", {class: "soft"}, `${name}: `), shortened(value)));
  return row(heads, [
    number(index), h("time", {datetime: event.time, title: event.time}, moment(event.time)),
    h("span", {class: "mono"}, breakable(event.action)), who(event.principal), about, details
  ]);
}

/**
 * A text whose identifiers are as short on a phone as those of links.
 *
 * @param {string} text
 */
function shortened(text) {
  if (!isNarrow()) return text;
  return h("span", {title: text}, text.replace(identifiers, (id) => `…${id.slice(-8)}`));
}

/**
 * An action such as `station.revoked`, which may break after its dots.
 *
 * @param {string} action
 */
function breakable(action) {
  return action.split(".").flatMap((part, index) => (index ? [".", h("wbr", {}), part] : [part]));
}

/**
 * Another search, for what an entry is about.
 *
 * @param {string} name
 * @param {string} id
 */
function link(name, id) {
  return h("a", {class: "mono", href: `/desk/audit?${name}=${encodeURIComponent(id)}`, title: id}, `…${id.slice(-8)}`);
}

/** @param {string} [principal] such as `operator:019aa4e1-…` */
function who(principal) {
  if (!principal) return d.audit.registry;
  const [kind, id = ""] = principal.split(":");
  const name = d.audit.principals[/** @type {keyof typeof d.audit.principals} */ (kind)] ?? kind;
  return h("span", {title: principal}, `${name} ${id && `…${id.slice(-8)}`}`);
}
