import {call, change, create} from "../api.js";
import {fill, h} from "../dom.js";
import {colourName, kindName, labelled, swatch, top, values} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

import {newKey} from "./rotation.js";

const optional = /** @type {const} */ (["serial", "plate", "vin", "notes"]);

/**
 * Adds a bike, or changes the one with this identifier.
 *
 * @param {string} [id]
 */
export async function page(id) {
  const bike = id ? await call("GET", `/v1/bikes/${id}`) : null;
  const key = crypto.randomUUID();
  const colour = colours(bike?.colours ?? []);
  const title = bike ? t.form.editTitle : t.form.addTitle;
  const form =
      h("form", {}, h("h1", {}, title), kinds(bike?.kind ?? "bicycle"),
        labelled(
            t.form.make,
            h("input", {name: "make", required: true, maxlength: 64, value: bike?.make ?? "", autocomplete: "off"}),
            t.form.makeHint),
        labelled(
            t.form.model,
            h("input", {name: "model", required: true, maxlength: 64, value: bike?.model ?? "", autocomplete: "off"})),
        colour.field, more(bike), bike ? null : ownBeacon(), bike ? null : rotatingBeacon(),
        h("button", {class: "primary wide"}, bike ? t.save : t.form.submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const draft = {...read(form), colours: colour.order};
      if (bike)
        await change(
            `/v1/bikes/${id}`,
            {...Object.fromEntries([...optional, "year", "buyerCheck"].map((name) => [name, null])), ...draft});
      const saved = bike ?? await create("/v1/bikes", draft, key);
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
  const {uuid, major, minor, year, colours, buyerCheck, rotating, ...draft} = values(form);
  const identity = uuid ? {uuid, major: Number(major ?? 0), minor: Number(minor ?? 0)} : undefined;
  const checked = buyerCheck ? {buyerCheck: true} : undefined;
  return {
    ...draft,
    ...checked,
    ...(year && {year: Number(year)}),
    ...(identity && {identity}),
    ...(rotating && {rotating: true})
  };
}
