import {call, change, create} from "../api.js";
import {fill, h} from "../dom.js";
import {colourName, kindName, labelled, swatch, top, values} from "../parts.js";
import {attempt} from "../problems.js";
import {saySaved} from "../saved.js";
import {t} from "../text.js";
import {load as loadUpkeepTexts} from "../text/upkeep.js";

import {newKey} from "./rotation.js";
import {noUpkeep, takeUpkeep, upkeepFields} from "./upkeep.js";

const optional = /** @type {const} */ (["serial", "plate", "vin", "engineNumber", "notes"]);

/**
 * Adds a bike, or changes the one with this identifier.
 *
 * @param {string} [id]
 */
export async function page(id) {
  const [bike] = await Promise.all([id ? call("GET", `/v1/bikes/${id}`) : null, loadUpkeepTexts()]);
  const key = crypto.randomUUID();
  const colour = colours(bike?.colours ?? []);
  const title = bike ? t.form.editTitle : t.form.addTitle;
  const form =
      h("form", {}, h("h1", {}, title), kinds(bike?.kind ?? "bicycle"), ...makeAndModel(bike), colour.field, more(bike),
        upkeepFields(bike?.upkeep), bike ? null : ownBeacon(), bike ? null : rotatingBeacon(),
        h("button", {class: "primary wide"}, bike ? t.save : t.form.submit),
        bike && h("a", {class: "button wide", href: `/my/bikes/${id}`}, t.back));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {upkeep, ...fields} = read(form);
      const draft = {...fields, colours: colour.order};
      if (bike) {
        const none = Object.fromEntries([...optional, "year", "buyerCheck"].map((name) => [name, null]));
        await change(`/v1/bikes/${id}`, {...none, ...draft, upkeep: {...noUpkeep(), ...upkeep}});
        return saySaved();
      }
      const saved = await create("/v1/bikes", {...draft, ...(Object.keys(upkeep).length && {upkeep})}, key);
      // Back must not lead to an empty form, which would look like a bike that is not there.
      const go = () => dispatchEvent(new CustomEvent("page:replace", {detail: `/my/bikes/${saved.id}`}));
      if (saved.rotation?.key)
        form.replaceWith(newKey(saved.rotation, go));
      else
        go();
    });
  });
  return {title, view: h("div", {}, top(), h("main", {}, form))};
}

/**
 * The fields for make and model, which suggest common ones while the person types; any text is possible.
 *
 * @param {any} bike
 */
function makeAndModel(bike) {
  const lists = {make: h("datalist", {id: "makes"}), model: h("datalist", {id: "models"})};
  /** @type {typeof import("../makes.js").makes | null} */
  let known = null;
  const suggest = async () => {
    known ??= (await import("../makes.js")).makes;
    const found = known(make.form?.querySelector("[name=kind]:checked")?.getAttribute("value") ?? "");
    const chosen = [...found.keys()].find((name) => name.toLowerCase() === make.value.trim().toLowerCase());
    fill(lists.make, [...found.keys()].map((value) => h("option", {value})));
    fill(lists.model, (chosen ? found.get(chosen) ?? [] : []).map((value) => h("option", {value})));
  };
  // Without a connection there are no suggestions, and nothing is wrong.
  const onfocus = () => suggest().catch(() => {});
  const field = (/** @type {"make" | "model"} */ name) => h("input", {
    name,
    required: true,
    maxlength: 64,
    value: bike?.[name] ?? "",
    autocomplete: "off",
    list: lists[name].id,
    onfocus
  });
  const make = field("make");
  return [
    labelled(t.form.make, make, t.form.makeHint), labelled(t.form.model, field("model")), lists.make, lists.model
  ];
}

/** @param {string} chosen */
function kinds(chosen) {
  return h(
      "fieldset", {}, h("legend", {}, t.form.kind),
      h("div", {class: "choices"},
        Object.keys(t.kinds).map(
            (kind) =>
                h("label", {}, h("input", {type: "radio", name: "kind", value: kind, checked: kind === chosen}),
                  kindName(kind)))));
}

const most = 3;

/**
 * The colours, numbered in the order in which they were chosen: the first is the main one.
 *
 * @param {string[]} chosen
 */
function colours(chosen) {
  const order = [...chosen];
  const enough = h("p", {class: "hint", role: "status"});
  const chips = Object.keys(t.colours).map((colour) => {
    const number = h("span", {class: "number"});
    const box = h("input", {
      type: "checkbox",
      name: "colours",
      value: colour,
      checked: order.includes(colour),
      onchange: () => {
        if (box.checked)
          order.push(colour);
        else
          order.splice(order.indexOf(colour), 1);
        update();
      }
    });
    return {colour, box, number, label: h("label", {}, box, swatch(colour), colourName(colour), number)};
  });
  const field =
      h("fieldset", {}, h("legend", {}, t.form.colours), h("p", {class: "hint"}, t.form.coloursHint),
        h("div", {class: "choices"}, chips.map(({label}) => label)), enough);
  const update = () => {
    for (const {colour, box, number} of chips) {
      const place = order.indexOf(colour) + 1;
      fill(number, place || "");
      number.hidden = !place;
      box.disabled = order.length >= most && !place;
    }
    fill(enough, order.length >= most && t.form.coloursEnough);
  };
  update();
  return {field, order};
}

/** @param {any} bike */
function more(bike) {
  const text = (/** @type {string} */ name, /** @type {string} */ label) =>
      labelled(label, h("input", {name, maxlength: 64, value: bike?.[name] ?? "", autocomplete: "off"}));
  return h(
      "details", {}, h("summary", {}, t.form.more),
      h("div", {class: "stack"}, text("serial", t.bike.serial), text("plate", t.bike.plate), text("vin", t.bike.vin),
        h("div", {class: "motor"}, text("engineNumber", t.bike.engineNumber)),
        h("label", {class: "check"},
          h("input", {type: "checkbox", name: "buyerCheck", checked: bike?.buyerCheck === true}),
          h("span", {}, t.form.buyerCheck, h("br"), h("span", {class: "hint"}, t.form.buyerCheckHint))),
        labelled(t.bike.year, h("input", {
                   name: "year",
                   type: "number",
                   inputmode: "numeric",
                   min: 1885,
                   max: new Date().getFullYear() + 1,
                   value: bike?.year ?? ""
                 })),
        labelled(t.bike.notes, h("textarea", {name: "notes", rows: 3, maxlength: 500}, bike?.notes ?? ""))));
}

/** The values of a beacon that cannot be set. */
function ownBeacon() {
  const number = (/** @type {string} */ name, /** @type {string} */ label) =>
      labelled(label, h("input", {name, type: "number", inputmode: "numeric", min: 0, max: 65_535}));
  return h(
      "details", {}, h("summary", {}, t.form.ownBeacon),
      h("div", {class: "stack"},
        labelled(t.bike.uuid, h("input", {name: "uuid", maxlength: 36, autocomplete: "off", class: "mono"})),
        h("div", {class: "pair"}, number("major", t.bike.major), number("minor", t.bike.minor))));
}

/** Whether the beacon changes its identity. */
function rotatingBeacon() {
  return h(
      "details", {}, h("summary", {}, t.form.otherBeacons),
      h("label", {class: "check"}, h("input", {type: "checkbox", name: "rotating"}),
        h("span", {}, t.form.rotating, h("br"), h("span", {class: "hint"}, t.form.rotatingHint))));
}

/** @param {HTMLFormElement} form */
function read(form) {
  const {upkeep, rest} = takeUpkeep(values(form));
  const {uuid, major, minor, year, colours, buyerCheck, rotating, ...draft} = rest;
  const identity = uuid ? {uuid, major: Number(major ?? 0), minor: Number(minor ?? 0)} : undefined;
  const checked = buyerCheck ? {buyerCheck: true} : undefined;
  return {
    ...draft,
    upkeep,
    ...checked,
    ...(year && {year: Number(year)}),
    ...(identity && {identity}),
    ...(rotating && {rotating: true})
  };
}
