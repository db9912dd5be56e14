/**
 * The texts about messages from finders in German.
 *
 * @type {typeof import("./en-messages.js").enMessages}
 */
export const deMessages = {
  title: "Nachrichten von Findern und Käufern",
  none:
      "Niemand hat geschrieben. Mit einem Aufkleber am Rad kann ein Finder dir schreiben, ohne zu erfahren, wer du bist.",
  caution: "Niemand hat diese Nachrichten geprüft: Öffne keinen Link, zahle nichts, triff dich mit niemandem allein.",
  by: {
    sticker: "über den Aufkleber",
    beacon: "über den Sender",
    number: "hat vor einem Kauf die Nummer geprüft",
    share: "folgt der Suche über einen Link",
  },
  from: {finder: "Finder", buyer: "Käufer", viewer: "Jemand mit dem Link", owner: "Du"},
  photo: "Foto von dieser Person",
  showPhoto: "Foto zeigen; niemand hat es geprüft",
  waiting: "Wartet auf deine Antwort",
  answered: "Beantwortet",
  ended: "Beendet",
  blocked: "Blockiert",
  deleted: (when) => `Dieses Gespräch ist beendet. Es wird ${when} gelöscht.`,
  answer: "Deine Antwort",
  answerHint:
      "Höchstens 500 Zeichen. Die andere Person erfährt deinen Namen und deine Adresse nur, wenn du sie schreibst.",
  send: "Senden",
  end: "Beenden",
  endLead: "Das Gespräch endet: Niemand kann mehr schreiben. Du kannst es noch 30 Tage lesen.",
  endTitle: "Das Gespräch beenden?",
  block: "Blockieren",
  blockTitle: "Diese Person blockieren?",
  blockLead:
      "Das Gespräch endet. Hat diese Person heute geschrieben, enden auch deine anderen Gespräche zu diesem Rad mit demselben Netz, etwa demselben WLAN, und heute (bis Mitternacht UTC) erreicht dich nichts mehr von dort. Die Person erfährt das nicht.",
  report: "Melden",
  reportTitle: "Dieses Gespräch melden?",
  reportLead:
      "Das Gespräch endet, diese Person ist blockiert, und der Betreiber des Registers kann das Gespräch lesen.",
  reported: "Du hast dieses Gespräch gemeldet. Der Betreiber des Registers kann es lesen.",
  reason: "Was soll der Betreiber wissen?",
  sticker: "Aufkleber",
  stickerLead:
      "Drucke das Blatt mit 100 % (nicht an die Seite anpassen) auf wetterfestes Papier. Wer einen Aufkleber scannt, kann dir schreiben. Der Aufkleber sagt nichts über dich oder das Rad.",
  make: "Code erstellen",
  replace: "Code ersetzen",
  makeLead: "Frühere Aufkleber für dieses Rad gelten dann nicht mehr.",
  made: "Notiere den Code jetzt, oder lade das Blatt herunter: Er wird nicht noch einmal gezeigt.",
  code: "Code",
  link: "Adresse für den Aufkleber",
  sheet: "Ein Blatt mit Aufklebern",
  file: "Aufkleber",
  download: "Das Blatt zum Drucken herunterladen",
  revoke: "Code widerrufen",
  revokeLead: "Danach kann niemand mehr mit diesem Code schreiben.",
  revoked: "Der Code gilt nicht mehr.",
  noCode: "Dieses Rad hat keinen Code.",
  exists: (when) => `Ein Code wurde ${when} erstellt. Er wird nur einmal gezeigt: Hast du ihn verloren, ersetze ihn.`,
};
