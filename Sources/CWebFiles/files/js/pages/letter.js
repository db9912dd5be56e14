import {all, call} from "../api.js";
import {h} from "../dom.js";
import {day, moment, span} from "../format.js";
import {bikeName, colourName, kindName, top} from "../parts.js";
import {t} from "../text.js";
import {latestFirst} from "../trail/stays.js";

/**
 * A letter to the police, to be printed: the bike, the search and where it was heard.
 *
 * @param {string} id
 */
export async function page(id) {
  const bike = await call("GET", `/v1/bikes/${id}`);
  const reports = await all(`/v1/bikes/${id}/reports?limit=100`);
  const report = reports.find((report) => report.id === bike.openReport) ?? reports.at(-1);
  const sightings = report ? latestFirst(await all(`/v1/bikes/${id}/reports/${report.id}/sightings?limit=100`)) : [];
  const facts = [
    [t.form.kind, kindName(bike.kind)],
    [t.form.make, bike.make],
    [t.form.model, bike.model],
    [t.form.colours, bike.colours.map(colourName).join(", ")],
    [t.bike.serial, bike.serial],
    [t.bike.plate, bike.plate],
    [t.bike.vin, bike.vin],
    [t.gone.police, report?.policeReference],
    [t.gone.since, report && moment(report.missingSince)],
  ].filter(([, value]) => value);
  const rows = sightings.filter((sighting) => !sighting.dismissed)
                   .map(
                       (sighting) =>
                           h("li", {}, h("strong", {}, sighting.station.name),
                             `, ${day(sighting.lastSeen)}, ${span(sighting.firstSeen, sighting.lastSeen)}. `,
                             h("span", {class: "mono"}, `${sighting.place.latitude}, ${sighting.place.longitude}`),
                             ` (${t.trail.levels[sighting.level]})`));
  const view =
      h("div", {}, top(),
        h("main", {},
          h("div", {class: "row between"}, h("h1", {}, t.letter.title),
            h("button", {class: "primary", onclick: () => print()}, t.letter.print)),
          h("p", {}, t.letter.opening(bikeName(bike))),
          h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
          h("h2", {}, t.trail.title), rows.length ? h("ol", {}, rows) : h("p", {}, t.bikes.notHeard),
          h("p", {}, t.letter.how), h("p", {}, t.letter.evidence), h("p", {class: "small soft"}, moment(new Date()))));
  return {title: t.letter.title, view};
}
