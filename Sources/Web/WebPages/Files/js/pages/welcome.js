import {call} from "../api.js";
import {h} from "../dom.js";
import {top} from "../parts.js";
import {isSignedIn} from "../session.js";
import {t} from "../text.js";

/** The page of somebody who is not signed in; others are led to their bikes. */
export async function page() {
  // Without this mark, a visitor would cause a request that is refused.
  if (isSignedIn() && await call("GET", "/v1/owner").then(() => true, () => false))
    dispatchEvent(new CustomEvent("page:go", {detail: "/my"}));
  const view =
      h("div", {}, top(false),
        h("main", {class: "narrow"}, h("h1", {}, t.welcome.title), h("p", {class: "lead"}, t.welcome.lead),
          h("a", {class: "button primary wide", href: "/sign-up"}, t.welcome.signUp),
          h("a", {class: "button wide", href: "/sign-in"}, t.welcome.signIn), h("ul", {class: "menu"}, [
            ["/about", t.welcome.about], ["/found", t.welcome.found], ["/check", t.welcome.check]
          ].map(([href, text]) => h("li", {}, h("a", {class: "button", href}, text))))));
  return {title: "FindMyBike", view};
}
