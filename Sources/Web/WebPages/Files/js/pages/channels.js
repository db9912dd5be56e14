import {all, call, create} from "../api.js";
import {h} from "../dom.js";
import {ask, askRemoval, labelled, values} from "../parts.js";
import {attempt} from "../problems.js";
import {renew, subscribed} from "../push.js";
import {renewPage} from "../saved.js";
import {t} from "../text.js";

import {turnOn} from "./turn-on.js";

/**
 * How the owner gets alerts: on this device, by e-mail, and what was set up elsewhere.
 *
 * @param {any[]} list
 * @param {string[]} [kinds] the kinds that the registry offers; all if it does not say
 */
export async function channels(list, kinds = ["webpush", "email"]) {
  if (kinds.includes("webpush") && await renew(list).catch(() => false)) list = await all("/v1/channels?limit=100");
  const heading = h("h2", {tabindex: -1}, t.account.alerts);
  const place =
      h("section", {class: "card"}, heading,
        h("p", {class: "soft"}, list.length ? t.account.alertsLead : t.account.noAlerts));
  const endpoint = (await subscribed())?.endpoint;
  const turning = await turnOn(list, renewPage, kinds);
  if (turning) place.append(turning);
  if (list.length)
    place.append(
        h("ul", {class: "plain-list"}, list.map((channel) => row(channel, channel.url === endpoint, heading))));
  if (kinds.includes("email")) place.append(h("button", {onclick: askEmail}, t.account.addEmail));
  if (!kinds.includes("webpush") && !kinds.includes("email"))
    place.append(h("p", {class: "soft"}, t.account.commandOnly));
  return place;
}

/**
 * @param {any} channel
 * @param {boolean} isThisDevice
 * @param {HTMLElement} heading gets the focus after a removal
 */
function row(channel, isThisDevice, heading) {
  const place = h("li", {class: "stack"});
  const name = channel.kind === "email" ? channel.url
      : isThisDevice                    ? t.account.push
      : channel.kind === "webpush"      ? `${t.account.pushElsewhere} (${new URL(channel.url).hostname})`
                                        : `${channel.kind}: ${channel.url}`;
  place.append(
      h("div", {},
        h("div", {class: "row between"}, name, isThisDevice && h("span", {class: "chip good"}, t.account.pushOn)),
        !channel.verified && h("p", {class: "small soft"}, t.account.unverified),
        channel.lastError && h("p", {class: "fault"}, t.account.lastFailed)),
      h("div", {class: "row"},
        h("button", {
          onclick: () => attempt(
              place,
              async () => {
                await call("POST", `/v1/channels/${channel.id}/${channel.verified ? "test" : "verification"}`);
                place.append(h("p", {class: "small soft", role: "status"}, t.account.testSent));
              })
        },
          channel.verified ? t.account.sendTest : t.account.sendLink),
        h("button", {
          "aria-label": `${t.remove}: ${name}`,
          onclick: () => askRemoval(
              t.sure.channel.title(name), t.sure.channel.lead, t.remove,
              async () => {
                await call("DELETE", `/v1/channels/${channel.id}`, {etag: "*"});
                // This device can then be turned on again.
                if (isThisDevice)
                  dispatchEvent(new CustomEvent("page:go", {detail: "/my/account"}));
                else
                  place.remove();
              },
              heading)
        },
          t.remove)));
  return place;
}

function askEmail() {
  const key = crypto.randomUUID();
  ask(t.account.addEmail,
      [labelled(
          t.account.email,
          h("input",
            {name: "url", type: "email", required: true, maxlength: 254, autocomplete: "email", inputmode: "email"}))],
      {text: t.save}, async (form) => {
        await create("/v1/channels", {kind: "email", ...values(form)}, key);
        renewPage();
      });
}
