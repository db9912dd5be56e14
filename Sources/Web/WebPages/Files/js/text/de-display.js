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
    lead: "Danach zeigt dieser Bildschirm an, wenn ein vermisstes Rad hier ist.",
    code: "Code",
    hint: "Frag die Person, die sich hier um die FindMyBike-Station kümmert, nach einem Code.",
    submit: "Verbinden",
    cancel: "Abbrechen",
    ended: "Dieser Bildschirm ist nicht mehr verbunden. Bitte um einen neuen Code.",
    unusable:
        "Der Code ist falsch getippt, schon benutzt oder älter als 15 Minuten. Gib ihn noch einmal ein oder bitte um einen neuen.",
    tooMany: "Zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal.",
    offline: "Es gibt keine Verbindung. Versuche es noch einmal.",
  },
  loading: "Wird verbunden…",
  none: "Hier ist kein vermisstes Rad",
  noneHint: "Sobald eines kommt, erscheint es hier.",
  one: "Ein vermisstes Rad ist hier",
  many: (count) => `${count} vermisste Räder sind hier`,
  unseen: (count) => count === 1 ? "Signal eines vermissten Rads" : `Signale von ${count} vermissten Rädern`,
  more: (count) => (count === 1 ? "und noch eines" : `und noch ${count}`),
  since: (time) => `Hier seit ${time}`,
  receiver: (name) => `Empfänger: ${name}`,
  near: "Nahe am Empfänger",
  inside: "Drinnen oder direkt davor",
  photo: "Foto des Rads",
  seen: "Ich sehe es",
  absent: "Nicht hier",
  answered: {
    seen: (time) => `${time}: Hier hat jemand das Rad gesehen. Die Besitzerin oder der Besitzer erfährt das.`,
    absent: (time) =>
        `${time}: Hier hat jemand nachgesehen und kein Rad gefunden. Die Besitzerin oder der Besitzer erfährt das.`,
    change: "Du kannst die Antwort ändern.",
  },
  notSent: "Deine Antwort wurde nicht gesendet. Versuche es noch einmal.",
  tooMany: "Zu viele Antworten in einer Stunde. Warte und versuche es dann noch einmal.",
  gone: "Dieses Rad ist nicht mehr hier.",
  advice: {
    title: "Was zu tun ist",
    look: "Sieh nach, und sag hier, ob du es siehst.",
    leave: "Sprich niemanden an und halte das Rad nicht fest: Vielleicht ist es die Besitzerin oder der Besitzer.",
    call: (whom) => `Kontakt: ${whom}`,
    police: "Wenn du es siehst oder unsicher bist, ruf die Polizei.",
  },
  health: {
    listening: "Die Station empfängt",
    starting: "Die Station hat sich noch nicht gemeldet",
    deaf: "Der Empfänger der Station funktioniert nicht",
    outdated: "Die Liste der vermissten Räder ist veraltet",
    silent: "Die Station hat keine Verbindung",
    contact: (time) => `Letzter Kontakt ${time}.`,
    hint:
        "Vielleicht sind vermisste Räder hier, die nicht gezeigt werden. Bitte sag es der Person, die sich um die Station kümmert.",
  },
  past: {
    none: "Hier war kein vermisstes Rad",
    one: "Ein vermisstes Rad war hier",
    many: (count) => `${count} vermisste Räder waren hier`,
    title: (text, time) => `${time}: ${text}`,
    since: (time) => `Gekommen: ${time}`,
    listening: (time) => `${time}: Die Station hat empfangen`,
  },
  lost: (time) => `Keine Verbindung seit ${time}. Was hier steht, kann veraltet sein.`,
  sound: {on: "Ton: an", off: "Ton: aus"},
  soundBlocked: "Tippe einmal auf „Ton: an“, damit dieser Bildschirm einen Ton abspielen darf.",
  language: "Sprache",
  status: "Status",
};
