/**
 * Die Texte zum Teilen eines Rads auf Deutsch.
 *
 * @type {typeof import("./en-members.js").enMembers}
 */
export const deMembers = {
  title: "Familie und Freunde",
  lead: "Auch sie bekommen Benachrichtigungen und sehen, wo das Rad gehört wurde, solange es vermisst wird.",
  invite: "Jemanden einladen",
  label: "Name",
  labelHint: "Wie du diese Person nennst. Sie sieht den Namen.",
  role: "Was darf diese Person?",
  roles: {see: "Sehen", report: "Melden", manage: "Verwalten"},
  explain: {
    see: "Darf das Rad und seine Suchen sehen und bekommt Benachrichtigungen.",
    report: "Darf alles sehen, das Rad als vermisst melden und die Suche beenden. Wer das Rad besitzt, wird jedes Mal benachrichtigt.",
    manage: "Darf all das, dazu das Rad und seine Fotos ändern und andere einladen.",
  },
  make: "Link erstellen",
  linkFor: (name) => `Link für ${name}`,
  linkHint: (until) =>
      `Schick ihn nur dieser Person: Wer ihn zuerst annimmt, ist dabei. Er gilt bis ${until}.`,
  noLink: "Das Register hat keine öffentliche Adresse und kann keinen Link erstellen. Schick stattdessen diesen Code.",
  share: "Link senden",
  shareText: (bike) => `Ich möchte mein Rad ${bike} auf FindMyBike mit dir teilen`,
  you: "Du",
  invited: (until) => `Eingeladen, bis ${until}`,
  removeTitle: (name) => `Nicht mehr mit ${name} teilen?`,
  removeAsk: "Diese Person sieht das Rad nicht mehr und bekommt dazu keine Benachrichtigungen mehr.",
  roleOf: (name) => `Rolle von ${name}`,
  removeNamed: (name) => `${name} entfernen`,
  yours: (role) => `Dieses Rad wird mit dir geteilt. Deine Rolle: ${role}.`,
  leave: "Dieses Rad nicht mehr sehen",
  leaveAsk: "Du siehst das Rad nicht mehr und bekommst dazu keine Benachrichtigungen mehr. Wer das Rad besitzt, wird benachrichtigt.",
  join: {
    title: "Jemand teilt ein Rad mit dir",
    lead: "Du siehst das Rad und bekommst Benachrichtigungen, wenn es vermisst wird und eine Station es hört.",
    as: (name) => `Du bist als „${name}“ eingeladen.`,
    submit: "Einladung annehmen",
    first: "Melde dich an oder lege ein Konto an, um zu sehen, welches Rad es ist.",
    none: "Dieser Link ist nicht vollständig. Öffne ihn noch einmal so, wie du ihn bekommen hast.",
    addAlerts: "Schalte danach in deinem Konto die Benachrichtigungen ein.",
  },
};
