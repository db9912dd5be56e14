/**
 * Die Texte des Aushangs.
 *
 * @type {typeof import("./en-poster.js").enPoster}
 */
export const dePoster = {
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
