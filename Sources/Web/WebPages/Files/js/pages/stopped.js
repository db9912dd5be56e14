import {call, Problem} from "../api.js";
import {h} from "../dom.js";
import {moment} from "../format.js";
import {ask, labelled, values} from "../parts.js";
import {renewPage} from "../saved.js";
import {t} from "../text.js";

/**
 * Why an operator has stopped the search, and the owner's objection, of which there is at most one; null if none has.
 *
 * @param {import("../parts.js").Bike} bike
 */
export async function stopped(bike) {
  const path = `/v1/bikes/${bike.id}/stop`;
  let stop;
  try {
    stop = await call("GET", path);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
  const texts = t.stop;
  const object = () =>
      ask(texts.object,
          [
            h("p", {class: "soft"}, texts.once),
            labelled(texts.objection, h("textarea", {name: "text", required: true, maxlength: 500, rows: 5}))
          ],
          {text: texts.send}, async (form) => {
            await call("PUT", `${path}/objection`, {body: values(form)});
            renewPage();
          });
  return h(
      "section", {class: "notice warn stack"}, h("h2", {}, texts.title(moment(stop.stopped))), h("p", {}, texts.nobody),
      stop.reason && h("p", {}, texts.reason(stop.reason)), stop.objection && h("p", {}, texts.yours(stop.objection)),
      stop.answer && h("p", {}, texts.answer(stop.answer)),
      stop.objection       ? !stop.answer && h("p", {class: "soft"}, texts.waits)
          : stop.exhausted ? h("p", {class: "soft"}, texts.exhausted)
                           : h("button", {onclick: object}, texts.object));
}
