import {deDetails} from "./de-details.js";
import {deLetter} from "./de-letter.js";
import {deMembers} from "./de-members.js";
import {deShare} from "./de-share.js";

/** @type {typeof import("./en-more.js").enMore} */
export const deMore = {
  photos: {
    add: "Foto hinzufügen",
    remove: "Dieses Foto entfernen",
    unread: "Keine Verbindung",
    waits: "Wartet, bis es an der Reihe ist",
    prepares: "Wird verkleinert…",
    sends: "Wird gesendet…",
    stores: "Wird gespeichert…",
    sending: "Foto, das gerade gesendet wird",
    leave: "Weglassen",
    heic:
        "Dieser Browser kann HEIC-Fotos nicht lesen. Öffne diese Seite auf dem iPhone in Safari, oder wähle vor dem Fotografieren Einstellungen › Kamera › Formate › Maximale Kompatibilität. Am Computer speichere das Bild zuerst als JPEG.",
    room: (most) => `Es sind höchstens ${most} Fotos möglich: Die letzten wurden weggelassen.`,
    staff: "Personal darf es sehen",
    staffHint:
        "„Personal darf es sehen“ zeigt ein kleines Bild auf der Anzeige einer Station und in ihrem Alarm, nur solange das vermisste Rad dort ist.",
    shown: "Gespeichert: Das Personal darf es sehen.",
    hidden: "Gespeichert: Das Personal sieht es nicht.",
  },
  sure: {
    photo: {title: "Dieses Foto entfernen?", lead: "Es wird endgültig gelöscht."},
    account: {title: "Dein Konto löschen?"},
    bike: {title: (name) => `${name} löschen?`},
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
      title: (name) => `Keine Benachrichtigungen mehr an ${name}?`,
      lead: "Darüber wirst du auf allen Wegen benachrichtigt.",
    },
    codes: {
      title: "Neue Wiederherstellungscodes anlegen?",
      lead:
          "Die alten gelten sofort nicht mehr. Die neuen werden einmal gezeigt: Halte Papier oder einen Passwortmanager bereit.",
    },
  },
  next: {
    listening: (count) =>
        count === 1 ? "Eine Station achtet auf den Sender." : `${count} Stationen achten auf den Sender.`,
    partners: (count) => count === 1 ? "Auch eine Station eines Partnerregisters achtet darauf."
                                     : `Auch ${count} Stationen von Partnerregistern achten darauf.`,
    nearest: (distance) => `Die nächste ist höchstens ${distance} von dort, wo du es zuletzt gesehen hast.`,
    odds: ({searches, percentWithinDay}) => `Bei ${percentWithinDay} % von etwa ${
        searches} früheren Suchen hier hörte eine Station den Sender innerhalb eines Tages.`,
    nobody: "Zurzeit achtet keine Station auf den Sender. Der Betreiber des Registers kann das sehen.",
    reached: "Du wirst benachrichtigt, sobald eine Station es hört.",
    messagesOn: "Benachrichtigungen sind an: Dieses Gerät meldet sich, sobald eine Station es hört.",
    police: (number) => `Polizei anrufen: ${number}`,
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
    why:
        "Du hast Werte angegeben, die dein Sender schon sendet. Bis ihn eine Station mit dem neuen Minor unten gehört hat, weiß niemand, dass er dir gehört, und du kannst das Rad nicht als vermisst melden.",
    set: "Ändere in der App des Herstellers den Minor auf:",
    same: "Alles andere bleibt, wie es ist:",
    ride: "Starte den Test und bringe den Sender innerhalb einer halben Stunde an einer Station vorbei.",
    done: "Du wirst benachrichtigt, wenn es geklappt hat. Ändere den Sender danach nicht mehr.",
    running: (until) => `Stationen achten bis ${until} auf den Sender. Bringe ihn an einer vorbei.`,
    trouble: "Der Minor lässt sich nicht ändern, oder es gibt keine Station in der Nähe",
    operator:
        "Bitte den Betreiber des Registers, den Sender so anzunehmen, wie er ist, und gib ihm die Kennung des Rads. Nimmt er ihn an, muss der Sender wieder seine ursprünglichen Werte senden.",
    id: "Kennung des Rads",
  },
  ...deDetails,
  letter: deLetter,
  members: deMembers,
  ...deShare,
};
