import {earlier} from "./earlier.js";
import {members} from "./members.js";
import {messages} from "./messages.js";
import {photos} from "./photos.js";

/**
 * The parts around a bike's beacon or search: photos, finders' messages, earlier searches, and members. A search comes
 * first: on a slow line, all of this would be loaded before its map.
 *
 * @param {import("../parts.js").Bike} bike
 */
export function around(bike) {
  return {pictures: photos(bike), finders: messages(bike), past: earlier(bike.id), shared: members(bike)};
}
