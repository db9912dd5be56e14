import {fill, h} from "../../dom.js";
import {labelled} from "../../parts.js";
import {number} from "../numbers.js";
import {lookUp, stateChip} from "../parts.js";
import {StationList} from "../station-list.js";
import {StationMap} from "../station-map.js";
import {matching, readStations} from "../stations.js";
import {d} from "../text.js";

/** @typedef {import("../stations.js").Row} Row */

const states = /** @type {const} */ (["silent", "deaf", "new", "listening"]);
/** The most stations of one place that are named below the map. */
const most = 12;

/** All stations, on a map and in a list. */
export async function page() {
  const texts = d.list;
  const {rows, more} = await readStations();
  const asked = new URLSearchParams(location.search);
  const search = h("input", {type: "search", value: asked.get("name") ?? "", autocomplete: "off", spellcheck: "false"});
  const state =
      h("select", {}, h("option", {value: ""}, texts.all),
        states.map((name) => h("option", {value: name, selected: name === asked.get("state")}, d.states[name])));
  const count = h("p", {class: "small soft", role: "status"});
  const none = h("p", {class: "notice"}, rows.length ? texts.none : texts.empty);
  const chosen = h("ul", {class: "plain-list", "aria-live": "polite"});
  const map = new StationMap((found) => fill(chosen, found.slice(0, most).map((row) => h("li", {}, place(row)))));
  const list = new StationList((row) => map.mark(row));
  const apply = () => {
    const found = matching(rows, search.value, state.value);
    const isPart = found.length < rows.length;
    fill(count, isPart ? texts.countOf(number(found.length), rows.length) : texts.count(rows.length));
    none.hidden = found.length > 0;
    list.element.hidden = found.length === 0;
    list.show(found);
    map.show(found);
    fill(chosen);
    remember(search.value, state.value);
  };
  search.addEventListener("input", apply);
  state.addEventListener("change", () => {
    apply();
    map.fit();
  });
  const view =
      h("div", {class: "stack"},
        h("div", {class: "row between"}, h("h1", {}, texts.title),
          h("a", {class: "button", href: "/desk/invitations"}, texts.invite)),
        more && h("p", {class: "notice warn"}, texts.leftOut(rows.length)),
        h("div", {class: "stations"},
          h("section", {class: "stack", "aria-label": texts.label},
            h("div", {class: "pair"}, labelled(texts.search, search), labelled(texts.state, state)), count, none,
            h("p", {class: "visually-hidden"}, texts.hint), list.element),
          h("div", {class: "stack"}, map.element, legend(), chosen)),
        h("div", {class: "readable"}, lookUp(texts.lookUp, (id) => `/desk/stations/${id}`),
          h("p", {class: "small soft"}, texts.revoked)));
  // The element gets its size only in the page.
  requestAnimationFrame(() => {
    apply();
    map.start();
  });
  const leave = () => {
    list.stop();
    map.stop();
  };
  return {title: texts.title, view, leave};
}

/** @param {Row} row */
function place(row) {
  return h("span", {class: "row"}, h("a", {href: `/desk/stations/${row.id}`}, row.name), stateChip(row.state));
}

/** What the forms on the map mean. */
function legend() {
  return h(
      "ul", {class: "legend small soft", "aria-label": d.list.legend},
      states.map((state) => h("li", {class: state}, d.states[state])));
}

/**
 * The search is in the address, so that Back leads to it.
 *
 * @param {string} name
 * @param {string} state
 */
function remember(name, state) {
  const query = new URLSearchParams({...(name && {name}), ...(state && {state})}).toString();
  history.replaceState(null, "", location.pathname + (query && `?${query}`));
}
