import {call} from "../api.js";
import {h} from "../dom.js";
import {afterSignIn} from "../invitation.js";
import {copy, labelled, top, values} from "../parts.js";
import {canUsePasskeys} from "../passkeys.js";
import {attempt} from "../problems.js";
import {isSignedIn, signUp} from "../session.js";
import {t} from "../text.js";
import {hold, release} from "../unsaved.js";

/** Makes an account with a passkey, and shows the recovery codes once. */
export async function page() {
  // A reload at the recovery codes must not make a second account.
  if (isSignedIn() && await call("GET", "/v1/owner").then(() => true, () => false)) return known();
  const main = h("main", {class: "narrow"});
  const form =
      h("form", {}, h("h1", {}, t.signUp.title), h("p", {class: "lead"}, t.signUp.lead),
        h("details", {}, h("summary", {}, t.signUp.invitation),
          labelled(
              t.signUp.invitation, h("input", {name: "invitation", maxlength: 200, autocomplete: "off"}),
              t.signUp.invitationHint)),
        canUsePasskeys() ? h("button", {class: "primary wide"}, t.signUp.submit)
                         : h("p", {class: "notice warn"}, t.signUp.unsupported),
        h("p", {}, h("a", {href: "/about"}, t.welcome.about)),
        h("p", {class: "soft"}, `${t.welcome.have} `, h("a", {href: "/sign-in"}, t.welcome.signIn)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      showCodes(main, await signUp(values(form).invitation));
    });
  });
  main.append(form);
  return {title: t.signUp.title, view: h("div", {}, top(false), main)};
}

/**
 * Shows codes until the person says that they are kept.
 *
 * @param {HTMLElement} main
 * @param {string[]} codes
 */
function showCodes(main, codes) {
  hold(codesQuestion());
  const title = h("h1", {tabindex: -1}, t.signUp.codesTitle);
  main.replaceChildren(
      title, recoveryCodes(codes),
      h("a", {class: "button primary wide", href: afterSignIn("/my"), onclick: release}, t.signUp.kept));
  title.focus();
}

/**
 * For somebody who has an account, and has signed in. The registry keeps only hashes of the codes, so an owner who has
 * lost them by a reload gets new ones.
 */
function known() {
  const main = h("main", {class: "narrow"});
  const place = h("div", {class: "stack"});
  const renew = () =>
      attempt(place, async () => showCodes(main, (await call("POST", "/v1/owner/recovery-codes")).recoveryCodes));
  place.append(h("button", {class: "wide", onclick: renew}, t.signUp.newCodes));
  main.append(
      h("h1", {}, t.signUp.known), h("p", {class: "lead"}, t.signUp.knownLead), place,
      h("a", {class: "button primary wide", href: afterSignIn("/my")}, t.signUp.kept));
  return {title: t.signUp.known, view: h("div", {}, top(), main)};
}

/** The question to a person who leaves a page that shows recovery codes. */
export function codesQuestion() { return {title: t.signUp.leaveTitle, lead: t.signUp.codesLead, kept: t.signUp.kept}; }

/**
 * Recovery codes, to be copied or saved.
 *
 * @param {string[]} codes
 */
export function recoveryCodes(codes) {
  const file =
      URL.createObjectURL(new Blob([`FindMyBike ${location.host}\n\n${codes.join("\n")}\n`], {type: "text/plain"}));
  const button = h("button", {type: "button", onclick: () => copy(button, codes.join("\n"))}, t.signUp.copyAll);
  return h(
      "div", {class: "stack kept-on-paper"}, h("p", {class: "soft"}, t.signUp.codesLead),
      h("ul", {class: "codes mono"}, codes.map((code) => h("li", {}, code))),
      h("div", {class: "tiles"}, button, h("button", {type: "button", onclick: () => print()}, t.print),
        h("a", {class: "button", href: file, download: "findmybike-codes.txt"}, t.signUp.download)));
}
