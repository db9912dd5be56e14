import {h} from "../dom.js";
import {fullDate} from "../format.js";
import {copyable} from "../parts.js";
import {t} from "../text.js";
import {hold, release} from "../unsaved.js";

/** @typedef {{key?: string, keyCode?: string, lag: number, checked: string, unreadable?: boolean}} Rotation */

/**
 * The key of a new rotating beacon, which the registry shows only once.
 *
 * @param {Rotation} rotation
 * @param {() => void} done
 */
export function newKey(rotation, done) {
  hold({title: t.rotation.leaveTitle, lead: t.rotation.leaveLead, kept: t.rotation.kept});
  const file = URL.createObjectURL(new Blob([`${rotation.key}\n`], {type: "text/plain"}));
  const address = rotation.keyCode && URL.createObjectURL(new Blob([rotation.keyCode], {type: "image/svg+xml"}));
  return h(
      "section", {class: "card attention stack"}, h("h1", {}, t.rotation.keyTitle), h("p", {}, t.rotation.keyLead),
      copyable(t.rotation.key, rotation.key ?? ""),
      h("a", {class: "button wide", href: file, download: "bike.key"}, t.signUp.download),
      address && h("img", {class: "key-code", src: address, alt: t.rotation.keyCode, width: 240, height: 240}),
      h("p", {class: "notice warn"}, t.rotation.keyKeep), h("p", {class: "hint"}, t.rotation.next),
      h("button", {
        class: "primary wide",
        type: "button",
        onclick: () => {
          release();
          URL.revokeObjectURL(file);
          if (address) URL.revokeObjectURL(address);
          done();
        }
      },
        t.rotation.kept));
}

/**
 * A rotating beacon, for the page of its bike.
 *
 * @param {Rotation} rotation
 */
export function rotating(rotation) {
  return [
    rotation.unreadable && h("p", {class: "notice bad"}, t.rotation.unreadable),
    h("p", {class: "soft"}, t.rotation.lead), h("p", {}, t.rotation.checked(fullDate(new Date(rotation.checked)))),
    rotation.unreadable ? null : h("p", {class: "hint"}, t.rotation.check)
  ];
}
