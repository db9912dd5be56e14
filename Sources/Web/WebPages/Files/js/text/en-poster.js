/** The texts of the poster. */
export const enPoster = {
  title: "Poster",
  stolen: {bicycle: "STOLEN BICYCLE", motorbike: "STOLEN MOTORBIKE", scooter: "STOLEN SCOOTER", other: "STOLEN"},
  /** @param {string} day */
  since: (day) => `Missing since ${day}`,
  seen: "Have you seen it? Write to the owner, without an account and without giving your name:",
  safe: "Do not confront anybody. If you see a theft, call the police.",
  /** @param {string} address */
  page: (address) => `Or open ${address} and enter this code:`,
  picture: "A QR code that leads to the page for finders",
  code: "Code of your sticker",
  codeHint: "Twelve letters and digits, as on the sticker. Without a code, the poster only asks to call the police.",
  wrong: "This is not a code: a character is wrong or missing.",
  make: "Make a code",
  makeLead: "For a bike without a sticker. Earlier stickers of this bike stop working.",
  keep: "Write this code down: it is not shown again.",
  police: "Have you seen it? Call the police.",
  privacy: "It shows neither your name nor a number of the bike. The photo may show more than the bike: look at it.",
  noPhoto: "Add a photo on the bike’s page first. A poster with a photo is looked at.",
};
