import {h} from "../../dom.js";
import {languageChoice} from "../../language.js";
import {labelled, values} from "../../parts.js";
import {canUsePasskeys} from "../../passkeys.js";
import {attempt} from "../../problems.js";
import {brand} from "../frame.js";
import {signIn, signInWithPasskey} from "../session.js";
import {d} from "../text.js";

/** Sign in with an operator's passkey or token. */
export async function page() {
  const place = h("div", {class: "stack"});
  const withPasskey = () => attempt(place, async () => {
    await signInWithPasskey();
    proceed();
  });
  if (canUsePasskeys()) place.append(h("button", {class: "primary wide", onclick: withPasskey}, d.signIn.passkey));
  const field = h("input", {
    name: "token",
    required: true,
    maxlength: 128,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    class: "mono"
  });
  const form =
      h("form", {}, labelled(d.signIn.token, field, d.signIn.tokenHint), h("button", {class: "wide"}, d.signIn.submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      await signIn(values(form).token);
      proceed();
    });
  });
  const view =
      h("div", {}, h("header", {class: "top"}, brand(), languageChoice()),
        h("main", {class: "narrow"}, h("h1", {}, d.signIn.title), h("p", {class: "lead"}, d.signIn.lead), place,
          h("details", {open: true}, h("summary", {}, d.signIn.other), form),
          h("p", {class: "soft"}, `${d.signIn.owner} `, h("a", {href: "/sign-in"}, d.signIn.ownerLink))));
  return {title: d.signIn.title, view};
}

/** Goes to the page that the person wanted to see. */
function proceed() {
  const wanted = new URLSearchParams(location.search).get("to") ?? "/desk";
  const isSafe = /^\/desk(\/|$)/.test(wanted) && !wanted.startsWith("/desk/sign-in");
  dispatchEvent(new CustomEvent("page:go", {detail: isSafe ? wanted : "/desk"}));
}
