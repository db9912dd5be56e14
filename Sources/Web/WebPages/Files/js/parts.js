import {swatch} from "./colours.js";
import {h} from "./dom.js";
import {languageChoice} from "./language.js";
import {attempt, flash} from "./problems.js";
import {t} from "./text.js";

/**
 * @typedef {{id: string, kind: string, make: string, model: string, colours: string[], openReport?: string, identity:
 * any, pending?: any, created: string} & Record<string, any>} Bike
 */

export {swatch};

/**
 * The bar at the top.
 *
 * @param {boolean} [isSignedIn]
 */
export function top(isSignedIn = true) {
  return h(
      "header", {class: "top"},
      h("a", {class: "brand", href: isSignedIn ? "/my" : "/"},
        h("img", {src: "/assets/icon.svg", alt: "", width: 28, height: 28}), h("span", {}, "FindMyBike")),
      isSignedIn ? null : languageChoice(), isSignedIn && h("a", {href: "/my"}, t.nav.bikes),
      isSignedIn && h("a", {href: "/my/account"}, t.nav.account));
}

/**
 * A picture that is not there without a connection, and then is no broken one.
 *
 * @param {Record<string, any>} attributes
 */
export function picture(attributes) {
  const image = h("img", {...attributes, onerror: () => image.remove()});
  return image;
}

/**
 * An owner's name for a bike.
 *
 * @param {Bike} bike
 */
export function bikeName(bike) { return `${bike.make} ${bike.model}`; }

/** @param {Bike} bike */
export function swatches(bike) {
  const names = bike.colours.map((colour) => colourName(colour)).join(", ");
  return h("span", {class: "swatches", role: "img", "aria-label": names}, bike.colours.map((colour) => swatch(colour)));
}

/** @param {string} colour */
export function colourName(colour) { return t.colours[/** @type {keyof typeof t.colours} */ (colour)] ?? colour; }

/** @param {string} kind */
export function kindName(kind) { return t.kinds[/** @type {keyof typeof t.kinds} */ (kind)] ?? kind; }

/**
 * Whether the person may do with a bike what this role allows; the owner may do everything.
 *
 * @param {Bike} bike
 * @param {"report" | "manage"} role
 */
export function may(bike, role) { return !bike.role || bike.role === "manage" || bike.role === role; }

/**
 * A value with a button that copies it.
 *
 * @param {string} label
 * @param {string} value
 */
export function copyable(label, value) {
  const button =
      h("button", {type: "button", onclick: () => copy(button, value), "aria-label": `${t.copy}: ${label}`}, t.copy);
  return h("div", {class: "label"}, label, h("div", {class: "copy"}, h("span", {class: "mono"}, value), button));
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} value
 */
export async function copy(button, value) {
  await navigator.clipboard?.writeText(value).then(() => flash(button, t.copied), () => {});
}

/**
 * A warning if no channel would bring an alert; otherwise null.
 *
 * @param {any[]} channels
 */
export function alertsOff(channels) {
  if (channels.some((channel) => channel.verified)) return null;
  return h("p", {class: "notice warn"}, `${t.bikes.alertsOff} `, h("a", {href: "/my/account"}, t.bikes.turnOn));
}

/**
 * A labelled field.
 *
 * @param {string} label
 * @param {HTMLElement} field
 * @param {string} [hint]
 */
export function labelled(label, field, hint) {
  return h("label", {}, label, hint && h("span", {class: "hint"}, hint), field);
}

/**
 * Asks before something is permanently removed. The first choice is to leave it.
 *
 * @param {string} title a question
 * @param {string} lead what follows from it
 * @param {string} submit
 * @param {() => Promise<void>} act
 * @param {HTMLElement | null} [next] gets the focus afterwards, because what had it is gone
 */
export function askRemoval(title, lead, submit, act, next) {
  let isDone = false;
  ask(title, [h("p", {class: "soft"}, lead)], {text: submit, kind: "alarm", isSecond: true}, async () => {
    await act();
    isDone = true;
  }, () => isDone && next?.focus());
}

/**
 * A dialog with a form. The act may throw; its failure is shown in the dialog. Cancel closes the dialog even while the
 * act continues.
 *
 * @param {string} title
 * @param {Node[]} fields
 * @param {{text: string, kind?: string, isSecond?: boolean}} submit `isSecond`: the focus is on Cancel at first
 * @param {(form: HTMLFormElement) => Promise<void>} act
 * @param {() => void} [closed]
 */
export function ask(title, fields, submit, act, closed) {
  const form =
      h("form", {method: "dialog"}, h("h2", {}, title), ...fields,
        h("button", {class: `wide ${submit.kind ?? "primary"}`}, submit.text),
        h("button",
          {type: "button", class: "plain wide leave", autofocus: submit.isSecond, onclick: () => dialog.close()},
          t.cancel));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      await act(form);
      dialog.close();
    });
  });
  const dialog =
      h("dialog", {
        "aria-label": title,
        onclose: () => {
          dialog.remove();
          closed?.();
        }
      },
        form);
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * The values of a form's fields that are not blank.
 *
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export function values(form) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
