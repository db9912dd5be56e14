import {fill, h} from "../dom.js";
import {languageChoice} from "../language.js";
import {attempt} from "../problems.js";

import {counted} from "./numbers.js";
import {signOut} from "./session.js";
import {d} from "./text.js";

/** @type {[keyof typeof d.nav, string, RegExp][]} */
const links = [
  ["overview", "/desk", /^\/desk$/],
  ["stations", "/desk/stations", /^\/desk\/stations/],
  ["invitations", "/desk/invitations", /^\/desk\/invitations/],
  ["reviews", "/desk/reviews", /^\/desk\/(reviews|owners)/],
  ["safety", "/desk/safety", /^\/desk\/safety/],
  ["messages", "/desk/messages", /^\/desk\/messages/],
  ["partners", "/desk/partners", /^\/desk\/partners/],
  ["audit", "/desk/audit", /^\/desk\/audit/],
  ["access", "/desk/access", /^\/desk\/access/],
];

/** What stays on the screen from page to page: the heading, the links to all pages, and who is signed in. */
export class Frame {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.main = h("main", {id: "main", tabindex: -1});
    this.links = links.map(([name, href]) => h("a", {href}, h("span", {}, d.nav[name])));
    const leave = h("div", {class: "row leave"});
    leave.append(
        languageChoice(), h("span", {class: "small soft"}, session.operator.name),
        h("button", {
          type: "button",
          onclick: () => attempt(
              leave,
              async () => {
                await signOut();
                dispatchEvent(new CustomEvent("page:go", {detail: "/desk/sign-in"}));
              })
        },
          d.signOut));
    const list = h("ul", {}, this.links.map((link) => h("li", {}, link)));
    this.element =
        h("div", {class: "desk"}, h("a", {class: "skip button", href: "#main"}, d.skip),
          h("header", {class: "side"}, brand(), h("nav", {"aria-label": d.nav.label}, list), leave), this.main);
  }

  /** @param {string} path of the page that is shown */
  mark(path) {
    links.forEach(([, , pattern], index) => {
      if (pattern.test(path))
        this.links[index].setAttribute("aria-current", "page");
      else
        this.links[index].removeAttribute("aria-current");
    });
  }

  /**
   * Shows beside the links how much waits behind them.
   *
   * @param {import("./watch.js").Overview} overview
   */
  count({stations, reviews}) {
    const {claims, owners, references, searches, messages, safety, objections} = reviews;
    const counts = {
      stations: {count: stations.silent + stations.deaf},
      reviews: together(claims, owners, references, searches),
      messages,
      safety: together(safety, objections)
    };
    links.forEach(([name], index) => {
      const value = counts[/** @type {keyof typeof counts} */ (name)];
      const mark =
          value?.count ? h("span", {class: `chip ${name === "stations" ? "bad" : "warn"}`}, counted(value)) : "";
      fill(this.links[index], h("span", {}, d.nav[name]), mark);
    });
  }
}

/** @param {{count: number, more?: boolean}[]} parts */
function together(...parts) {
  return {count: parts.reduce((sum, {count}) => sum + count, 0), more: parts.some(({more}) => more)};
}

export function brand() {
  return h(
      "a", {class: "brand", href: "/desk"}, h("img", {src: "/assets/icon.svg", alt: "", width: 28, height: 28}),
      h("span", {}, "FindMyBike", h("small", {}, d.title)));
}
