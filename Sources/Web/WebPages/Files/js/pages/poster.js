import {call, Problem, send} from "../api.js";
import {fill, h} from "../dom.js";
import {fullDate} from "../format.js";
import {ask, bikeName, colourName, copyable, labelled, may, picture, top} from "../parts.js";
import {attempt} from "../problems.js";
import {t} from "../text.js";
import {load as loadPosterTexts, texts as posterTexts} from "../text/poster.js";

/** @typedef {import("../parts.js").Bike} Bike */

/**
 * A poster to print: what the bike looks like, and how somebody who sees it can write to its owner. It shows nothing
 * that is private.
 *
 * @param {string} id
 */
export async function page(id) {
  const [found] = await Promise.all([call("GET", `/v1/bikes/${id}`), loadPosterTexts()]);
  const bike = /** @type {Bike} */ (found);
  const texts = posterTexts();
  const report = bike.openReport && await call("GET", `/v1/bikes/${id}/reports/${bike.openReport}`).catch(() => null);
  const answers = h("div", {class: "answers"});
  await showCode(answers, null);
  const poster =
      h("article", {class: "poster"},
        h("p", {class: "stolen"},
          texts.stolen[/** @type {keyof typeof texts.stolen} */ (bike.kind)] ?? texts.stolen.other),
        bike.photo && picture({src: `/v1/bikes/${id}/photos/${bike.photo}`, alt: t.bikes.photo, class: "photo"}),
        h("h2", {}, bikeName(bike)),
        h("p", {}, [bike.colours.map(colourName).join(", "), bike.year].filter(Boolean).join(" · ")),
        report && h("p", {}, texts.since(fullDate(report.missingSince))), answers, h("p", {class: "safe"}, texts.safe));
  const tools =
      h("div", {class: "no-print stack"},
        h("div", {class: "row between"}, h("h1", {}, texts.title),
          h("button", {class: "primary", onclick: () => print()}, t.print)),
        h("p", {class: "soft"}, bike.photo ? texts.privacy : texts.noPhoto), codeForm(bike, answers));
  return {title: texts.title, view: h("div", {}, top(), h("main", {}, tools, poster))};
}

/**
 * Asks for the sticker's code: the registry does not know it, only its hash.
 *
 * @param {Bike} bike
 * @param {HTMLElement} answers
 */
function codeForm(bike, answers) {
  const texts = posterTexts();
  const made = h("div", {class: "stack", "aria-live": "polite"});
  const field = h("input", {
    name: "code",
    required: true,
    maxlength: 64,
    class: "mono",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false"
  });
  const form = h("form", {}, labelled(texts.code, field, texts.codeHint), h("button", {}, t.signIn.submitCode));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form, () => showCode(answers, tidy(field.value)));
  });
  const make = async () => {
    const {code} = await call("PUT", `/v1/bikes/${bike.id}/sticker`, {body: {}});
    fill(made, h("p", {class: "notice good"}, texts.keep), copyable(texts.code, code));
    await showCode(answers, code);
  };
  const askMake = () => ask(texts.make, [h("p", {class: "soft"}, texts.makeLead)], {text: texts.make}, make);
  return h(
      "div", {class: "stack"}, form,
      may(bike, "manage") && h("button", {type: "button", class: "plain", onclick: askMake}, texts.make), made);
}

/**
 * A code as it is on the sticker, from what a person typed.
 *
 * @param {string} typed
 */
function tidy(typed) {
  const characters = typed.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1");
  return (characters.match(/.{1,4}/g) ?? []).join("-");
}

/**
 * Shows how somebody who has seen the bike can answer.
 *
 * @param {HTMLElement} place
 * @param {string | null} code the sticker's; without one, the poster can only name the police
 */
async function showCode(place, code) {
  const texts = posterTexts();
  if (!code) return fill(place, h("p", {}, h("strong", {}, texts.police)));
  const path = `/v1/stickers/${encodeURIComponent(code)}/picture`;
  const response = await send("GET", path, {accept: "image/svg+xml"}).catch((problem) => {
    throw problem.status === 404 ? new Problem(1, {detail: texts.wrong}) : problem;
  });
  const address = URL.createObjectURL(await response.blob());
  const image = h("img", {src: address, alt: texts.picture, width: 240, height: 240});
  image.addEventListener("load", () => URL.revokeObjectURL(address));
  fill(
      place,
      h("div", {}, h("p", {}, h("strong", {}, texts.seen)),
        h("p", {}, texts.page(`${location.host}/found`), " ", h("strong", {class: "mono code"}, code))),
      image);
}
