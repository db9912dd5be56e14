import {all, call, create} from "../api.js";
import {fill, h} from "../dom.js";
import {moment} from "../format.js";
import {ask, bikeName, copyable, labelled, may, values} from "../parts.js";
import {attempt} from "../problems.js";
import {saySaved} from "../saved.js";
import {t} from "../text.js";

/**
 * @typedef {import("../parts.js").Bike} Bike
 * @typedef {"see" | "report" | "manage"} Role
 * @typedef {{id: string, label: string, role: Role, since: string, current: boolean}} Member
 * @typedef {{id: string, label: string, role: Role, expires: string}} Invitation
 */

/**
 * With whom a bike is shared; for a member who does not manage it, the own role.
 *
 * @param {Bike} bike
 */
export async function members(bike) {
  const texts = t.members;
  const path = `/v1/bikes/${bike.id}`;
  const isManager = may(bike, "manage");
  const read = (/** @type {string} */ part) => all(`${path}/${part}`).catch(() => []);
  const [people, invitations] = await Promise.all([read("members"), isManager ? read("invitations") : []]);
  const own = people.find((member) => member.current);
  const place = h("div", {class: "stack"});
  const title = h("summary", {}, texts.title);
  const others = people.filter((member) => !member.current);
  const count = () => isManager && fill(title, `${texts.title} (${list.querySelectorAll("[data-member]").length})`);
  const list =
      h("ul", {class: "plain-list"}, others.map((member) => memberRow(bike, member, count)),
        invitations.map((invitation) => invitationRow(bike, invitation)));
  count();
  return h(
      "details", {class: "card"}, title,
      h("div", {class: "stack"}, bike.role && h("p", {}, texts.yours(texts.roles[/** @type {Role} */ (bike.role)])),
        isManager && h("p", {class: "soft"}, texts.lead), isManager && list, place,
        isManager && h("button", {class: "wide", onclick: () => askInvite(bike, list, place)}, texts.invite),
        own && h("button", {class: "plain danger", onclick: () => askLeave(path, own)}, texts.leave)));
}

/**
 * Whether the caller decides about a role: only the owner decides about managers.
 *
 * @param {Bike} bike
 * @param {Role} role
 */
function mayGive(bike, role) { return !bike.role || role !== "manage"; }

/**
 * @param {Bike} bike
 * @param {Member} member
 * @param {() => void} whenRemoved
 */
function memberRow(bike, member, whenRemoved) {
  const texts = t.members;
  const address = `/v1/bikes/${bike.id}/members/${member.id}`;
  const place = h("li", {class: "stack", "data-member": member.id});
  if (!mayGive(bike, member.role)) {
    place.append(h("div", {}, member.label, h("p", {class: "small soft"}, texts.roles[member.role])));
    return place;
  }
  const role =
      h("select", {
        "aria-label": texts.roleOf(member.label),
        onchange: () => attempt(
            place,
            async () => {
              const chosen = /** @type {Role} */ (role.value);
              try {
                await call("PUT", `${address}/role`, {body: {role: chosen}});
                member.role = chosen;
                saySaved();
              } catch (fault) {
                role.value = member.role;
                throw fault;
              }
            })
      },
        roles(bike).map((name) => h("option", {value: name, selected: name === member.role}, texts.roles[name])));
  const remove = () =>
      ask(texts.removeTitle(member.label), [h("p", {}, texts.removeAsk)], {text: t.remove, kind: "alarm"}, async () => {
        await call("DELETE", address);
        place.remove();
        whenRemoved();
      });
  place.append(
      h("strong", {}, member.label),
      h("div", {class: "row unbroken"}, role,
        h("button", {"aria-label": texts.removeNamed(member.label), onclick: remove}, t.remove)));
  return place;
}

/**
 * @param {Bike} bike
 * @param {Invitation} invitation
 */
function invitationRow(bike, invitation) {
  const texts = t.members;
  const place = h("li", {class: "row between"});
  place.append(h(
      "div", {}, invitation.label,
      h("p", {class: "small soft"}, `${texts.roles[invitation.role]} · ${texts.invited(moment(invitation.expires))}`)));
  if (!mayGive(bike, invitation.role)) return place;
  const cancel = () => attempt(place, async () => {
    await call("DELETE", `/v1/bikes/${bike.id}/invitations/${invitation.id}`);
    place.remove();
  });
  place.append(h("button", {"aria-label": texts.removeNamed(invitation.label), onclick: cancel}, t.remove));
  return place;
}

/**
 * @param {Bike} bike
 * @returns {Role[]} the roles that the caller may give
 */
function roles(bike) { return bike.role ? ["see", "report"] : ["see", "report", "manage"]; }

/**
 * @param {Bike} bike
 * @param {Element} list
 * @param {Element} place where the link is shown
 */
function askInvite(bike, list, place) {
  const texts = t.members;
  const key = crypto.randomUUID();
  const explanation = h("p", {class: "small soft"}, texts.explain.see);
  const choices =
      h("fieldset", {class: "choices"}, h("legend", {}, texts.role),
        roles(bike).map(
            (role) =>
                h("label", {}, h("input", {
                    type: "radio",
                    name: "role",
                    value: role,
                    checked: role === "see",
                    onchange: () => fill(explanation, texts.explain[role])
                  }),
                  texts.roles[role])));
  const label = labelled(
      texts.label, h("input", {name: "label", required: true, maxlength: 64, autocomplete: "off"}), texts.labelHint);
  ask(texts.invite, [label, choices, explanation], {text: texts.make}, async (form) => {
    const made = await create(`/v1/bikes/${bike.id}/invitations`, values(form), key);
    list.append(invitationRow(bike, made.details));
    showLink(bike, made, place);
  });
}

/**
 * Shows an invitation's link, which the registry shows only once.
 *
 * @param {Bike} bike
 * @param {{details: Invitation, secret: string, link?: string}} made
 * @param {Element} place
 */
function showLink(bike, made, place) {
  const texts = t.members;
  const {link} = made;
  const share = () =>
      navigator.share({title: "FindMyBike", text: texts.shareText(bikeName(bike)), url: link}).catch(() => {});
  fill(
      place, copyable(texts.linkFor(made.details.label), link ?? made.secret),
      h("p", {class: "small soft"}, link ? texts.linkHint(moment(made.details.expires)) : texts.noLink),
      link && "share" in navigator && h("button", {class: "primary wide", onclick: share}, texts.share));
}

/**
 * @param {string} path
 * @param {Member} own
 */
function askLeave(path, own) {
  const texts = t.members;
  ask(texts.leave, [h("p", {}, texts.leaveAsk)], {text: texts.leave, kind: "alarm"}, async () => {
    await call("DELETE", `${path}/members/${own.id}`);
    dispatchEvent(new CustomEvent("page:go", {detail: "/my"}));
  });
}
