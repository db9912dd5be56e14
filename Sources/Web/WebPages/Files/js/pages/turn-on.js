import {h} from "../dom.js";
import {attempt} from "../problems.js";
import {isOnIphoneInBrowser, pushState, subscribe, subscribed} from "../push.js";
import {t} from "../text.js";

/**
 * A button that turns messages on for this phone, or what to do first; null if they are on, or if the registry sends
 * none to browsers.
 *
 * @param {any[]} channels the owner's
 * @param {(place: HTMLElement) => void} done
 * @param {string[]} [kinds] the kinds that the registry offers; all if it does not say
 */
export async function turnOn(channels, done, kinds = ["webpush"]) {
  const endpoint = (await subscribed().catch(() => null))?.endpoint;
  if (!kinds.includes("webpush") || (endpoint && channels.some(({url}) => url === endpoint))) return null;
  const state = pushState();
  const advice = state === "denied" ? t.pushDenied
      : isOnIphoneInBrowser()       ? t.account.pushIphone
      : state === "unsupported"     ? t.account.pushUnsupported
                                    : null;
  if (advice)
    return h(
        "p", {class: "small soft"}, `${advice} `,
        location.pathname !== "/my/account" && h("a", {href: "/my/account"}, t.account.alerts));
  const place = h("div", {class: "stack"});
  const act = () => attempt(place, async () => {
    await subscribe();
    done(place);
  });
  place.append(
      h("button", {type: "button", class: "primary wide", onclick: act},
        isPhone() ? t.account.pushPhone : t.account.pushOff));
  return place;
}

function isPhone() { return /Android|iPhone/.test(navigator.userAgent); }
