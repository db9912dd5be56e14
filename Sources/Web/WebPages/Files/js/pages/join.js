import {call, create, Problem} from "../api.js";
import {h} from "../dom.js";
import {keepInvitation} from "../invitation.js";
import {bikeName, kindName, swatches, top} from "../parts.js";
import {attempt} from "../problems.js";
import {isSignedIn} from "../session.js";
import {t} from "../text.js";

/** The page of an invitation’s link: it shows which bike is shared, and accepts the invitation. */
export async function page() {
  const texts = t.members;
  const secret = location.hash.slice(1);
  const main = h("main", {class: "narrow"}, h("h1", {}, texts.join.title));
  const result = {title: texts.join.title, view: h("div", {}, top(isSignedIn()), main)};
  if (!secret) {
    main.append(h("p", {class: "notice warn"}, texts.join.none));
    return result;
  }
  const offer = isSignedIn() ? await look(secret) : null;
  if (offer instanceof Problem)
    main.append(h("p", {class: "notice warn", role: "alert"}, offer.message));
  else if (offer)
    main.append(...offered(offer, secret));
  else
    main.append(...signInFirst(secret));
  return result;
}

/**
 * What the invitation offers; null if nobody is signed in.
 *
 * @param {string} secret
 * @returns {Promise<any>}
 */
async function look(secret) {
  try {
    return await call("POST", "/v1/memberships/offer", {body: {invitation: secret}});
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    if (error instanceof Problem && [403, 409, 422].includes(error.status)) return error;
    throw error;
  }
}

/**
 * @param {any} offer
 * @param {string} secret
 */
function offered(offer, secret) {
  const texts = t.members;
  const key = crypto.randomUUID();
  const place = h("div", {class: "stack"});
  const join = () => attempt(place, async () => {
    const bike = await create("/v1/memberships", {invitation: secret}, key);
    keepInvitation("");
    dispatchEvent(new CustomEvent("page:go", {detail: `/my/bikes/${bike.id}`}));
  });
  place.append(h("button", {class: "primary wide", onclick: join}, texts.join.submit));
  const role = /** @type {keyof typeof texts.roles} */ (offer.role);
  return [
    h("div", {class: "card"}, h("h2", {}, bikeName(offer)),
      h("p", {class: "row soft"}, kindName(offer.kind), swatches(offer))),
    h("p", {}, texts.join.as(offer.label)),
    h("dl", {class: "values"}, h("dt", {}, texts.roles[role]), h("dd", {}, texts.explain[role])),
    h("p", {class: "soft"}, `${texts.join.lead} ${texts.join.addAlerts}`),
    place,
  ];
}

/** @param {string} secret */
function signInFirst(secret) {
  const texts = t.members;
  keepInvitation(secret);
  return [
    h("p", {class: "lead"}, texts.join.first),
    h("a", {class: "button primary wide", href: "/sign-up"}, t.welcome.signUp),
    h("a", {class: "button wide", href: "/sign-in"}, t.welcome.signIn)
  ];
}
