/**
 * The texts about messages from finders in German.
 *
 * @type {typeof import("./en-messages.js").enMessages}
 */
export const deMessages = {
  title: "Nachrichten von Findern",
  none:
      "Niemand hat geschrieben. Mit einem Aufkleber am Rad kann ein Finder dir schreiben, ohne zu erfahren, wer du bist.",
  caution: "Niemand hat diese Nachrichten geprüft: Öffne keinen Link, zahle nichts, triff dich mit niemandem allein.",
  by: {sticker: "über den Aufkleber", beacon: "über den Sender", number: "hat vor einem Kauf die Nummer geprüft"},
  from: {finder: "Finder", buyer: "Käufer", owner: "Du"},
  waiting: "Wartet auf deine Antwort",
  answered: "Beantwortet",
  ended: "Beendet",
  blocked: "Blockiert",
  deleted: (when) => `Dieses Gespräch ist beendet. Es wird ${when} gelöscht.`,
  answer: "Deine Antwort",
  answerHint: "Höchstens 500 Zeichen. Der Finder erfährt deinen Namen und deine Adresse nur, wenn du sie schreibst.",
  send: "Senden",
  end: "Beenden",
  endLead: "Danach kann niemand mehr schreiben. Du kannst das Gespräch noch 30 Tage lesen.",
  block: "Blockieren",
  blockLead:
      "Das Gespräch endet. Hat der Finder heute geschrieben, enden auch andere Gespräche zu diesem Rad aus demselben Netz, etwa demselben WLAN, und bis Mitternacht UTC erreicht dich nichts mehr von dort. Neue Nachrichten werden verworfen, ohne dass der Finder es merkt.",
  report: "Melden",
  reportLead: "Das Gespräch endet, der Finder ist blockiert, und der Betreiber des Registers kann es lesen.",
  reported: "Du hast dieses Gespräch gemeldet. Der Betreiber des Registers kann es lesen.",
  reason: "Was soll der Betreiber wissen?",
  sticker: "Aufkleber",
  stickerLead:
      "Drucke ein Blatt mit Aufklebern auf wetterfestes Papier, mit 100 %. Wer einen scannt, kann dir schreiben. Er sagt nichts über dich oder das Rad.",
  make: "Code erstellen",
  replace: "Code ersetzen",
  makeLead: "Frühere Aufkleber für dieses Rad gelten dann nicht mehr.",
  made: "Notiere ihn jetzt: Er wird nicht noch einmal gezeigt.",
  code: "Code",
  link: "Adresse für den Aufkleber",
  sheet: "Ein Blatt mit Aufklebern",
  file: "Aufkleber",
  download: "Das Blatt zum Drucken herunterladen",
  revoke: "Code widerrufen",
  revokeLead: "Danach kann niemand mehr mit diesem Code schreiben.",
  revoked: "Der Code gilt nicht mehr.",
};
