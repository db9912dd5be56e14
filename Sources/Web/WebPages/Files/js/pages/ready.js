import {parking} from "./parking.js";
import {setup} from "./setup.js";

/**
 * What an owner does with a bike that is not missing: gets it ready, and keeps where it is left. The page of a missing
 * bike loads none of it.
 *
 * @param {import("../parts.js").Bike} bike
 * @param {Promise<HTMLElement>} photos the part with the bike's photos
 */
export async function ready(bike, photos) {
  const parts = await Promise.all([setup(bike, photos), parking(bike)]);
  return parts.flatMap((part) => part ?? []);
}
