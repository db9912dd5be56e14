import {Problem} from "../api.js";
import {h} from "../dom.js";
import {afterSignIn} from "../invitation.js";
import {labelled, top, values} from "../parts.js";
import {canUsePasskeys} from "../passkeys.js";
import {attempt} from "../problems.js";
import {isToken, signIn, signInWithPasskey} from "../session.js";
import {t} from "../text.js";

/** Sign in with a passkey, a recovery code or a token. */
export async function page() {
  const main = h("main", {class: "narrow"});
  const view = h("div", {}, top(false), main);
  const done = async (/** @type {boolean} */ isRecovered) => {
    if (!isRecovered) return proceed();
    // The person is signed in even if the next steps cannot be loaded.
    const parts = await import("./recovered.js").then((page) => page.recovered(proceed)).catch(() => null);
    if (!parts) return proceed();
    main.replaceChildren(...parts);
    view.replaceChildren(top(), main);
    scrollTo(0, 0);
    parts[0].focus({preventScroll: true});
  };
  main.append(
      h("h1", {}, t.signIn.title), ...ways(done),
      h("p", {class: "soft"}, `${t.welcome.none} `, h("a", {href: "/sign-up"}, t.welcome.signUp)));
  return {title: t.signIn.title, view};
}

/**
 * Asks somebody whose session has ended to sign in, over the page with what they have typed.
 *
 * @returns {Promise<boolean>} whether they did
 */
export function signInAgain() {
  return new Promise((resolve) => {
    let isSignedIn = false;
    const done = () => {
      isSignedIn = true;
      dialog.close();
    };
    const leave = h("button", {type: "button", class: "plain wide leave", onclick: () => dialog.close()}, t.cancel);
    const dialog =
        h("dialog", {
          "aria-label": t.signIn.again,
          onclose: () => {
            dialog.remove();
            resolve(isSignedIn);
          }
        },
          h("div", {class: "stack"}, h("h2", {}, t.signIn.again), h("p", {class: "soft"}, t.signIn.againLead),
            ...ways(done), leave));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * @param {(isRecovered: boolean) => void | Promise<void>} done gets whether a recovery code was used
 * @returns {HTMLElement[]}
 */
function ways(done) {
  const place = h("div", {class: "stack"});
  if (canUsePasskeys())
    place.append(
        h("button", {
          type: "button",
          class: "primary wide",
          onclick: () => attempt(
              place,
              async () => {
                await signInWithPasskey();
                await done(false);
              })
        },
          t.signIn.passkey));
  const form =
      h("form", {},
        labelled(
            t.signIn.code, h("input", {
              name: "secret",
              required: true,
              maxlength: 200,
              autocomplete: "off",
              autocapitalize: "off",
              spellcheck: "false",
              class: "mono"
            }),
            t.signIn.hint),
        h("button", {class: "wide"}, t.signIn.submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, async () => {
      const {secret} = values(form);
      await signIn(secret).catch((error) => {
        throw error instanceof Problem && [401, 403, 422].includes(error.status)
            ? new Problem(1, {detail: t.signIn.wrong})
            : error;
      });
      await done(!isToken(secret));
    });
  });
  return [place, h("details", {open: !canUsePasskeys()}, h("summary", {}, t.signIn.other), form)];
}

/** Goes to the page that the person wanted to see. */
function proceed() {
  const wanted = new URLSearchParams(location.search).get("to") ?? "/my";
  dispatchEvent(new CustomEvent("page:go", {detail: afterSignIn(/^\/my(\/|$)/.test(wanted) ? wanted : "/my")}));
}
