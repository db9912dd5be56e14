import {lazy} from "./lazy.js";

/** The texts about where a bike is left. */
export const {load: loadParkingTexts, texts: parkingTexts} = lazy({
  en: async () => (await import("./en-parking.js")).enParking,
  de: async () => (await import("./de-parking.js")).deParking
});
