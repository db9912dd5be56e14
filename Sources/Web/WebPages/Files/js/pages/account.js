import {all, call, change, Problem, send, Unanswered} from "../api.js";
import {fill, h} from "../dom.js";
import {keepLanguage} from "../locale.js";
import {askRemoval, labelled, top, values} from "../parts.js";
import {attempt} from "../problems.js";
import {unsubscribe} from "../push.js";
import {renewPage} from "../saved.js";
import {forgetAccount} from "../session.js";
import {setLanguage, t} from "../text.js";
import {languages} from "../text/languages.js";
import {hold, release} from "../unsaved.js";

import {channels} from "./channels.js";
import {devices} from "./devices.js";
import {codesQuestion, recoveryCodes} from "./sign-up.js";

/** The owner's account: alerts, language, devices, data. */
export async function page() {
  const [owner, list] = await Promise.all([call("GET", "/v1/owner"), all("/v1/channels?limit=100")]);
  const view =
      h("div", {}, top(),
        h("main", {}, h("h1", {}, t.account.title), owner.verified && h("p", {class: "chip good"}, t.account.verified),
          await channels(list, owner.channelKinds), preferences(owner), await devices().catch(unread), codes(owner),
          data()));
  return {title: t.account.title, view};
}

/**
 * In place of what this device does not keep, while there is no connection.
 *
 * @param {unknown} problem
 */
function unread(problem) {
  if (!(problem instanceof Unanswered)) throw problem;
  return h("p", {class: "card soft"}, t.account.devicesUnread);
}

/** @param {any} owner */
function preferences(owner) {
  const zones = /** @type {any} */ (Intl).supportedValuesOf?.("timeZone") ?? ["UTC"];
  const zone = owner.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const quiet = owner.quietHours;
  const form =
      h("form", {class: "card"},
        labelled(
            t.language,
            h("select", {name: "language"},
              Object.entries(languages).map(
                  ([code, name]) => h("option", {value: code, lang: code, selected: code === owner.language}, name)))),
        labelled(
            t.account.zone,
            h("select", {name: "zone"},
              [...new Set([zone, ...zones])].map(
                  (name) => h("option", {value: name, selected: name === zone}, name.replaceAll("_", " "))))),
        h("fieldset", {}, h("legend", {}, t.account.quiet), h("p", {class: "hint"}, t.account.quietLead),
          h("div", {class: "pair"},
            labelled(t.account.from, h("input", {type: "time", name: "from", value: quiet?.from ?? ""})),
            labelled(t.account.to, h("input", {type: "time", name: "to", value: quiet?.to ?? ""})))),
        h("label", {class: "check"},
          h("input", {type: "checkbox", name: "tellsAppearance", checked: owner.tellsAppearance}),
          h("span", {}, t.account.appearance, h("br"), h("span", {class: "hint"}, t.account.appearanceHint))),
        h("button", {class: "primary"}, t.save));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {from, to, language, zone, tellsAppearance} = values(form);
      if (Boolean(from) !== Boolean(to)) throw halfQuiet(from ? "to" : "from");
      const quietHours = from && to ? {from, to} : null;
      await change("/v1/owner", {language, zone, quietHours, tellsAppearance: tellsAppearance !== undefined});
      keepLanguage(language);
      await setLanguage(language);
      renewPage();
    });
  });
  return form;
}

/**
 * Quiet hours of which one end is missing: they are not left out without a word.
 *
 * @param {"from" | "to"} end
 */
function halfQuiet(end) { return new Problem(422, {errors: [{pointer: `/quietHours/${end}`, detail: ""}]}); }

/** @param {any} owner */
function codes(owner) {
  const place = h("div", {class: "stack"});
  const summary = h("summary", {}, t.account.codes);
  const showLeft = (/** @type {number} */ left) => fill(
      place, h("p", {class: "soft"}, t.account.codesLeft(left)),
      h("button", {
        onclick: () => askRemoval(
            t.sure.codes.title, t.sure.codes.lead, t.signUp.newCodes,
            async () => {
              const made = await call("POST", "/v1/owner/recovery-codes");
              hold(codesQuestion());
              const kept =
                  h("button", {
                    class: "primary wide",
                    onclick: () => {
                      release();
                      showLeft(made.recoveryCodes.length);
                      summary.focus();
                    }
                  },
                    t.signUp.kept);
              fill(place, recoveryCodes(made.recoveryCodes), kept);
            })
      },
        t.signUp.newCodes));
  showLeft(owner.recoveryCodes);
  return h("details", {class: "card"}, summary, place);
}

function data() {
  const leave = h("div", {});
  leave.append(h("button", {class: "wide", onclick: () => attempt(leave, signOut)}, t.account.signOut));
  return h(
      "div", {class: "stack"},
      h("a", {class: "button wide", href: "/v1/owner/export", download: "findmybike.json"}, t.account.export), leave,
      h("button", {
        class: "plain danger",
        onclick: () => askRemoval(
            t.sure.account.title, t.account.eraseAsk, t.account.erase,
            async () => {
              const etag = (await send("GET", "/v1/owner")).headers.get("ETag") ?? undefined;
              await call("DELETE", "/v1/owner", {etag});
              await forget();
            })
      },
        t.account.erase));
}

/** Ends the session. If this fails, nothing is deleted, so that nobody believes that they are signed out. */
async function signOut() {
  await unsubscribe();
  await call("DELETE", "/v1/session");
  await forget();
}

/** Leaves the account on this browser. */
async function forget() {
  await forgetAccount();
  location.replace("/");
}
