import {earlier} from "./earlier.js";
import {members} from "./members.js";
import {messages} from "./messages.js";
import {photos} from "./photos.js";

/**
 * What stands around a bike's beacon or search: its photos, what finders write, earlier searches, and with whom it is
 * shared. A search comes first: on a slow line, all of this would be loaded before its map.
 *
 * @param {import("../parts.js").Bike} bike
 */
export function around(bike) {
  return {pictures: photos(bike), finders: messages(bike), past: earlier(bike.id), shared: members(bike)};
}
