import {all, call, create} from "../api.js";
import {fill, h} from "../dom.js";
import {ago, duration, moment} from "../format.js";
import {ask, bikeName, copyable, labelled, values} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";

/** How long a link can last, in hours. */
const lasting = [1, 24, 72, 168, 720];

/**
 * The links to a running search: made, shown once, listed with their views, and revoked.
 *
 * @param {import("../parts.js").Bike} bike
 * @param {string} report
 */
export async function shares(bike, report) {
  const path = `/v1/bikes/${bike.id}/shares`;
  const items = (await all(path).catch(() => []))
                    .filter((share) => share.report === report && Date.parse(share.ends) > Date.now());
  const list = h("ul", {class: "plain-list"}, items.map((share) => row(path, share)));
  const made = h("div", {class: "stack", "aria-live": "polite"});
  const make =
      h("button", {
        type: "button",
        onclick: () => askShare(
            path,
            (share) => {
              list.append(row(path, share.details));
              fill(made, ...newLink(bike, share.link));
            })
      },
        t.share.make);
  return h(
      "details", {class: "card", open: items.length > 0, "data-part": "shares"}, h("summary", {}, t.share.title),
      h("div", {class: "stack"}, h("p", {class: "soft"}, t.share.lead), made, list, make));
}

/**
 * @param {string} path
 * @param {(share: any) => void} done
 */
function askShare(path, done) {
  const opened = Date.now();
  // Tapping again after a lost response sends the same request, unless something was changed.
  let request = {body: "", key: ""};
  const label =
      labelled(t.share.label, h("input", {name: "label", maxlength: 64, autocomplete: "off"}), t.share.labelHint);
  const lasts = labelled(
      t.share.lasts,
      h("select", {name: "hours"},
        lasting.map((hours) => h("option", {value: hours, selected: hours === 168}, duration(hours * 3600)))));
  ask(t.share.title, [label, lasts, h("p", {class: "small soft"}, t.share.hint)], {text: t.share.make},
      async (form) => {
        const {label, hours} = values(form);
        const ends = new Date(opened + Number(hours) * 3_600_000).toISOString();
        const draft = {ends, ...(label && {label})};
        const body = JSON.stringify(draft);
        if (request.body !== body) request = {body, key: crypto.randomUUID()};
        done(await create(path, draft, request.key));
      });
}

/**
 * @param {import("../parts.js").Bike} bike
 * @param {string} link
 */
function newLink(bike, link) {
  const send =
      h("button", {
        type: "button",
        class: "primary",
        onclick: () => navigator.share({title: bikeName(bike), url: link}).catch(() => {})
      },
        t.share.send);
  return [
    h("p", {class: "notice good"}, t.share.made), copyable(t.share.link, link), ...("share" in navigator ? [send] : [])
  ];
}

/**
 * @param {string} path
 * @param {any} share
 */
function row(path, share) {
  const place = h("li", {class: "row between"});
  const opened = share.views ? t.share.opened(share.views, ago(share.lastViewed)) : t.share.never;
  place.append(
      h("div", {}, share.label ?? t.share.unnamed,
        h("p", {class: "small soft"}, `${t.share.until(moment(share.ends))} · ${opened}`)),
      h("button", {
        type: "button",
        onclick: () => attempt(
            place,
            async () => {
              await call("DELETE", `${path}/${share.id}`);
              place.remove();
            })
      },
        t.share.revoke));
  return place;
}
