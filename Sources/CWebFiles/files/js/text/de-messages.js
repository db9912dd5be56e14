/**
 * The texts about messages from finders in German.
 *
 * @type {typeof import("./en-messages.js").enMessages}
 */
export const deMessages = {
  title: "Nachrichten von Findern",
  none:
      "Niemand hat geschrieben. Mit einem Aufkleber am Rad kann ein Finder Ihnen schreiben, ohne zu erfahren, wer Sie sind.",
  caution:
      "Niemand hat diese Nachrichten geprüft: Öffnen Sie keinen Link, zahlen Sie nichts, treffen Sie sich mit niemandem allein.",
  by: {sticker: "über den Aufkleber", beacon: "über den Sender", number: "hat vor einem Kauf die Nummer geprüft"},
  from: {finder: "Finder", owner: "Sie"},
  waiting: "Wartet auf Sie",
  answered: "Beantwortet",
  ended: "Beendet",
  blocked: "Blockiert",
  deleted: (when) => `Dieses Gespräch ist beendet. Es wird ${when} gelöscht.`,
  answer: "Ihre Antwort",
  answerHint: "Höchstens 500 Zeichen. Der Finder erfährt Ihren Namen und Ihre Adresse nicht, außer Sie schreiben sie.",
  send: "Senden",
  end: "Beenden",
  endLead: "Danach kann niemand mehr schreiben. Sie können das Gespräch noch 30 Tage lesen.",
  block: "Blockieren",
  blockLead: "Das Gespräch endet, und Sie bekommen heute nichts mehr von diesem Finder. Er merkt es nicht.",
  report: "Melden",
  reportLead: "Das Gespräch endet, der Finder ist blockiert, und der Betreiber des Registers kann es lesen.",
  reason: "Was soll der Betreiber wissen?",
  sticker: "Aufkleber",
  stickerLead:
      "Drucken Sie ein Blatt mit Aufklebern. Wer einen scannt, kann Ihnen schreiben. Er sagt nichts über Sie oder das Rad.",
  make: "Code erstellen",
  makeLead: "Ein früherer Code gilt danach nicht mehr.",
  made: "Notieren Sie ihn jetzt: Er wird nicht noch einmal gezeigt.",
  code: "Code",
  link: "Adresse für den Aufkleber",
  sheet: "Ein Blatt mit Aufklebern",
  download: "Das Blatt zum Drucken herunterladen",
  revoke: "Code widerrufen",
  revokeLead: "Danach kann niemand mehr mit diesem Code schreiben.",
  revoked: "Der Code gilt nicht mehr.",
};
