import {language} from "../text.js";

const en = {
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

/** @type {typeof en} */
const de = {
  title: "Aushang",
  stolen:
      {bicycle: "FAHRRAD GESTOHLEN", motorbike: "MOTORRAD GESTOHLEN", scooter: "ROLLER GESTOHLEN", other: "GESTOHLEN"},
  since: (day) => `Vermisst seit ${day}`,
  seen: "Gesehen? Schreib dem Besitzer, ohne Konto und ohne deinen Namen:",
  safe: "Stelle niemanden zur Rede. Siehst du einen Diebstahl, rufe die Polizei.",
  page: (address) => `Oder öffne ${address} und gib diesen Code ein:`,
  picture: "Ein QR-Code, der zur Seite für Finder führt",
  code: "Code deines Aufklebers",
  codeHint:
      "Zwölf Buchstaben und Ziffern, wie auf dem Aufkleber. Ohne Code bittet der Aushang nur, die Polizei zu rufen.",
  wrong: "Das ist kein Code: Ein Zeichen ist falsch oder fehlt.",
  make: "Code anlegen",
  makeLead: "Für ein Rad ohne Aufkleber. Frühere Aufkleber dieses Rads gelten dann nicht mehr.",
  keep: "Schreib diesen Code auf: Er wird nicht noch einmal gezeigt.",
  police: "Gesehen? Rufe die Polizei.",
  privacy:
      "Er zeigt weder deinen Namen noch eine Nummer des Rads. Auf dem Foto kann mehr als das Rad zu sehen sein: Sieh es dir an.",
  noPhoto: "Füge zuerst auf der Seite des Rads ein Foto hinzu. Ein Aushang mit Foto wird angesehen.",
};

/** The texts of the poster. */
export function posterTexts() { return language === "de" ? de : en; }
