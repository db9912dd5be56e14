import {deBike} from "./de-bike.js";

/**
 * Die Texte der Anzeige in einem Lokal.
 *
 * @type {typeof import("./en-display.js").enDisplay}
 */
export const deDisplay = {
  ...deBike,
  pair: {
    title: "Diesen Bildschirm verbinden",
    lead: "Dann zeigt er, wenn ein vermisstes Rad hier ist.",
    code: "Code",
    hint: "Den Code macht der Betreiber des Registers, oder „sudo findmybike venue display“ an der Station.",
    submit: "Verbinden",
    cancel: "Abbrechen",
    ended: "Dieser Bildschirm ist nicht mehr verbunden. Bitte um einen neuen Code.",
    unusable:
        "Der Code ist vertippt, verbraucht oder älter als 15 Minuten. Gib ihn noch einmal ein, oder bitte um einen neuen.",
    tooMany: "Zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal.",
    offline: "Es gibt keine Verbindung. Versuche es noch einmal.",
  },
  loading: "Verbindung wird aufgebaut…",
  none: "Kein vermisstes Rad ist hier",
  noneHint: "Kommt eines, steht es hier.",
  one: "Ein vermisstes Rad ist hier",
  many: (count) => `${count} vermisste Räder sind hier`,
  more: (count) => (count === 1 ? "und eines mehr" : `und ${count} mehr`),
  since: (time) => `Hier seit ${time}`,
  near: "Nah am Empfänger",
  inside: "Im Haus oder davor",
  seen: "Ich sehe es",
  absent: "Nicht hier",
  answered: {
    seen: (time) => `${time}: Du hast gesagt, dass du es siehst. Wer es sucht, erfährt das.`,
    absent: (time) => `${time}: Du hast gesagt, dass es nicht hier ist. Wer es sucht, erfährt das.`,
    change: "Du kannst die Antwort ändern.",
  },
  notSent: "Deine Antwort wurde nicht gesendet. Versuche es noch einmal.",
  tooMany: "Zu viele Antworten in einer Stunde. Warte und versuche es dann noch einmal.",
  gone: "Dieses Rad ist nicht mehr hier.",
  advice: {
    title: "Was zu tun ist",
    look: "Sieh nach, und sag hier, ob du es siehst.",
    leave: "Stell niemanden zur Rede und halte das Rad nicht fest: Vielleicht fährt es der Mensch, dem es gehört.",
    call: (whom) => `Ruf an: ${whom}`,
    police: "Wenn du es siehst oder im Zweifel: Ruf die Polizei.",
  },
  health: {
    listening: "Die Station hört zu",
    starting: "Die Station hat sich noch nicht gemeldet",
    deaf: "Der Empfänger der Station geht nicht",
    outdated: "Die Liste der vermissten Räder ist alt",
    silent: "Die Station ist abgeschnitten",
    contact: (time) => `Letzter Kontakt ${time}.`,
    hint:
        "Vielleicht sind vermisste Räder hier, die nicht gezeigt werden. Bitte sag es der Person, die sich um die Station kümmert.",
  },
  lost: (time) => `Keine Verbindung seit ${time}. Was hier steht, kann alt sein.`,
  sound: {on: "Ton: an", off: "Ton: aus"},
  soundBlocked: "Tippe einmal auf „Ton: an“, damit dieser Bildschirm einen Ton geben darf.",
  language: "Sprache",
};
