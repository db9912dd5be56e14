/**
 * Die Texte von Links zu einer Suche.
 *
 * @type {typeof import("./en-share.js").enShare}
 */
export const deShare = {
  share: {
    title: "Diese Suche teilen",
    lead:
        "Erstelle einen Link für Freunde, einen Verein oder die Polizei. Wer ihn hat, sieht das Rad, seine Fotos und wo Stationen es hören, ohne Konto.",
    make: "Link erstellen",
    label: "Für wen ist der Link?",
    labelHint: "Das siehst nur du.",
    lasts: "Gültig für",
    durations: [[1, "1 Stunde"], [24, "1 Tag"], [72, "3 Tage"], [168, "7 Tage"], [720, "30 Tage"]],
    hint:
        "Er endet früher, wenn du ihn widerrufst, wenn die Suche zu Ende ist und wenn dieser Browser abgemeldet wird.",
    made: "Sende den Link jetzt, er wird nicht noch einmal gezeigt. Wer ihn hat, sieht den Stand der Suche.",
    link: "Link",
    send: "Senden",
    unnamed: "Link",
    until: (when) => `gilt bis ${when}`,
    opened: (count, when) => (count === 1 ? `einmal geöffnet, ${when}` : `${count}-mal geöffnet, zuletzt ${when}`),
    never: "noch nicht geöffnet",
    revoke: "Widerrufen",
  },
  shared: {
    lead: "Dieses Rad wird vermisst. Hier siehst du den Stand der Suche.",
    none: "Noch keine Station hat es gehört. Sobald eine es hört, steht es hier.",
    disputed: "Bisher gibt es nur zweifelhafte Meldungen.",
    photo: "Foto des Rads",
    until: (when) => `Dieser Link gilt bis ${when}. Bitte veröffentliche ihn nicht.`,
    advice: "Stelle niemanden zur Rede. Wenn du das Rad siehst, sage es der Person, der es gehört, und der Polizei.",
    write: {
      title: "Dem Besitzer schreiben",
      lead: "Der Besitzer sieht, dass du diesen Link hast. Keiner erfährt Namen oder Adresse des anderen.",
      message: "Deine Nachricht",
      hint: "Höchstens 500 Zeichen. Wo hast du das Rad gesehen, und wann?",
      send: "Senden",
      sent:
          "Deine Nachricht ist gesendet. Antworten erscheinen nur auf der Seite deines Gesprächs: Öffne sie, und bewahre ihre Adresse auf.",
      open: "Gespräch öffnen",
    },
    over: "Die Suche ist zu Ende.",
    outcomes: {
      recovered: "Das Rad ist wieder da",
      falseAlarm: "Das Rad war nicht gestohlen",
      givenUp: "Das Rad wird nicht mehr gesucht",
      expired: "Das Rad wird nicht mehr gesucht",
    },
    ended: "Dieser Link ist abgelaufen",
    endedHint: "Er galt nur für eine begrenzte Zeit. Bitte um einen neuen.",
    unknown: "Dieser Link gilt nicht",
    unknownHint: "Er wurde widerrufen oder nicht vollständig kopiert. Bitte um einen neuen.",
  },
};
