import {deBike} from "./de-bike.js";
import {deDetails} from "./de-details.js";
import {deLetter} from "./de-letter.js";
import {deMembers} from "./de-members.js";
import {deProblems} from "./de-problems.js";
import {deShare} from "./de-share.js";

/**
 * Die Texte auf Deutsch; dieselben Schlüssel wie im Englischen.
 *
 * @type {typeof import("./en.js").en}
 */
export const de = {
  justNow: "gerade eben",
  span: (from, to) => `${from} bis ${to}`,
  back: "Zurück",
  cancel: "Abbrechen",
  save: "Speichern",
  copy: "Kopieren",
  copied: "Kopiert",
  remove: "Entfernen",
  again: "Noch einmal versuchen",
  stale: (when) => `Keine Verbindung. Stand: ${when}.`,
  offline: "Es gibt keine Verbindung. Nichts wurde gesendet. Versuche es noch einmal, wenn du online bist.",
  failed: "Etwas ist schiefgegangen. Versuche es gleich noch einmal.",
  notFound: "Diese Seite gibt es nicht, oder sie gehört nicht dir.",
  notFoundHint: "Falls jemand ein Rad mit dir geteilt hat: Vielleicht ist das beendet.",
  signedOut: "Du bist abgemeldet. Melde dich an, um weiterzumachen.",
  tooMany: "Zu viele Versuche. Warte eine Minute und versuche es dann noch einmal.",
  nav: {bikes: "Meine Räder", account: "Konto"},
  ...deBike,
  welcome: {
    title: "Finde dein Rad wieder, wenn es weg ist",
    lead:
        "Verstecke einen kleinen Bluetooth-Sender an deinem Rad. Wird es gestohlen, achten Cafés, Parkhäuser und Tankstellen auf ihn, und du siehst, wo es ist.",
    signUp: "Konto anlegen",
    signIn: "Anmelden",
    have: "Hast du schon ein Konto?",
    none: "Neu hier?",
    found: "Zweirad gefunden? Dem Besitzer schreiben",
    check: "Ein gebrauchtes Rad kaufen? Die Nummer prüfen",
  },
  signIn: {
    codeHint: "Von der Liste, die du aufbewahrt hast. Jeder gilt einmal.",
    codeTitle: "Bestätige, dass du es bist",
    submitCode: "Weiter",
    codeNeeded: "Dafür brauchst du einen Passkey oder einen Wiederherstellungscode.",
    title: "Anmelden",
    passkey: "Mit Passkey anmelden",
    other: "Auf andere Weise anmelden",
    code: "Wiederherstellungscode",
    token: "Token",
    hint: "Ein Wiederherstellungscode von deiner Liste oder ein Token des Befehls findmybike.",
    submit: "Anmelden",
    wrong: "Dieser Code oder Token gilt nicht. Prüfe ihn und versuche es noch einmal.",
    noPasskey: "Der Passkey wurde nicht benutzt. Versuche es noch einmal, oder melde dich anders an.",
  },
  signUp: {
    title: "Konto anlegen",
    lead:
        "Ohne E-Mail-Adresse und ohne Passwort. Dein Telefon bewahrt einen Passkey auf, den du mit Fingerabdruck, Gesicht oder PIN benutzt.",
    submit: "Passkey anlegen",
    unsupported: "Dieser Browser kann keine Passkeys aufbewahren. Nimm einen aktuellen, auf einer Seite mit https.",
    invitation: "Einladung",
    invitationHint: "Nur wenn du eine bekommen hast.",
    codesTitle: "Bewahre diese Codes auf",
    codesLead:
        "Mit jedem Code kommst du einmal herein, wenn du dein Telefon verlierst. Sie werden nicht noch einmal gezeigt.",
    kept: "Ich habe meine Codes aufbewahrt",
    leaveTitle: "Hast du deine Codes aufbewahrt?",
    copyAll: "Alle kopieren",
    download: "Als Datei speichern",
  },
  bikes: {
    alertsOff: "Nachrichten sind aus: Niemand sagt dir, wenn dein Rad gehört wird.",
    turnOn: "Einschalten",
    title: "Meine Räder",
    add: "Rad hinzufügen",
    empty: "Füge dein erstes Rad hinzu. Es dauert zwei Minuten.",
    gone: "Es ist weg",
    missing: "Vermisst",
    pending: "Sender noch nicht bestätigt",
    lastHeard: "Zuletzt gehört",
    notHeard: "Noch nicht gehört",
    see: "Zeigen, wo es gehört wurde",
    photo: "Foto deines Rads",
    shared: "Mit dir geteilt",
    messages: (count) => count === 1 ? "Jemand wartet auf deine Antwort" : `${count} Personen warten auf deine Antwort`,
  },
  photos: {add: "Foto hinzufügen", remove: "Dieses Foto entfernen"},
  sure: {
    photo: {title: "Dieses Foto entfernen?", lead: "Es wird endgültig gelöscht."},
    session: {
      title: (name) => `„${name}“ abmelden?`,
      lead: "Wer diesen Browser benutzt, muss sich neu anmelden.",
      submit: "Abmelden",
    },
    passkey: {
      title: (name) => `Passkey „${name}“ entfernen?`,
      lead: "Er meldet dich nicht mehr an, und die damit angemeldeten Browser werden abgemeldet.",
      submit: "Entfernen",
    },
    token: {
      title: (name) => `Token „${name}“ entfernen?`,
      lead: "Programme, die ihn benutzen, funktionieren nicht mehr, und damit angemeldete Browser werden abgemeldet.",
      submit: "Entfernen",
    },
    channel: {
      title: (name) => `Keine Nachrichten mehr an ${name}?`,
      lead: "Darüber bekommst du eine Nachricht auf allen Wegen.",
    },
    codes: {
      title: "Neue Wiederherstellungscodes anlegen?",
      lead:
          "Die alten gelten sofort nicht mehr. Die neuen werden einmal gezeigt: Halte Papier oder einen Passwortmanager bereit.",
    },
  },
  gone: {
    title: (bike) => `${bike} als vermisst melden?`,
    lead: "Innerhalb einer Minute achten Stationen auf den Sender. Du bekommst eine Nachricht, sobald ihn eine hört.",
    submit: "Als vermisst melden",
    since: "Vermisst seit",
    sinceHint: "Wann hast du es dort zuletzt gesehen?",
    place: "Letzter Ort",
    usePlace: "Standort dieses Telefons verwenden",
    placeSet: (accuracy) => `Standort dieses Telefons, auf ${accuracy} genau`,
    placeFailed: "Das Telefon hat seinen Standort nicht angegeben.",
    details: "Wann, wo und Aktenzeichen",
    police: "Aktenzeichen der Polizei",
    force: "Dienststelle",
    note: "Notiz",
    policeHint: "Mit einem Aktenzeichen dauert die Suche länger.",
  },
  found: {
    title: "Ist die Suche zu Ende?",
    recovered: "Ich habe mein Rad wieder",
    falseAlarm: "Es war nie weg",
    givenUp: "Ich suche nicht mehr",
    by: "Gefunden von",
    note: "Wie es zurückkam",
    submit: "Suche beenden",
    owner: "Mir selbst",
    police: "Der Polizei",
    venue: "Einem Betrieb",
    finder: "Jemand anderem",
    other: "Sonstigen",
    lead: "Die Stationen achten nicht mehr auf den Sender. Was sie gehört haben, wird nach 30 Tagen gelöscht.",
  },
  earlier: {
    title: "Frühere Suchen",
    nothing: "Es gibt keine Beobachtungen: Keine Station hat es gehört, oder sie sind gelöscht.",
    outcomes: {
      recovered: "Das Rad ist wieder da",
      falseAlarm: "Es war nie weg",
      givenUp: "Aufgegeben",
      expired: "Nach einem Jahr beendet",
    },
  },
  pending: {
    title: "Bestätige deinen Sender",
    notYet: "Geht erst, wenn der Sender bestätigt ist.",
    why:
        "Du hast Werte angegeben, die dein Sender schon sendet. Bis ihn eine Station mit dem neuen Minor unten gehört hat, weiß niemand, dass er dir gehört, und du kannst das Rad nicht als vermisst melden.",
    set: "Ändere in der App des Herstellers den Minor auf:",
    same: "Alles andere bleibt, wie es ist:",
    ride: "Starte den Test und bringe den Sender innerhalb einer halben Stunde an einer Station vorbei.",
    done: "Du bekommst eine Nachricht, wenn es geklappt hat. Ändere den Sender danach nicht mehr.",
    running: (until) => `Stationen achten bis ${until} auf den Sender. Bringe ihn an einer vorbei.`,
    trouble: "Der Minor lässt sich nicht ändern, oder es gibt keine Station in der Nähe",
    operator:
        "Bitte den Betreiber des Registers, den Sender so anzunehmen, wie er ist, und gib ihm die Kennung des Rads. Nimmt er ihn an, muss der Sender wieder seine ursprünglichen Werte senden.",
    id: "Kennung des Rads",
  },
  ...deDetails,
  letter: deLetter,
  members: deMembers,
  problems: deProblems,
  ...deShare,
};
