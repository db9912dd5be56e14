/**
 * Die Texte zu den Terminen, an die erinnert wird.
 *
 * @type {typeof import("./en-upkeep.js").enUpkeep}
 */
export const deUpkeep = {
  title: "Erinnerungen",
  lead:
      "Du wirst 30 und 7 Tage vor jedem Datum benachrichtigt, tagsüber. Nur du siehst sie, und wer das Rad verwaltet.",
  inspectionDue: "Nächste Hauptuntersuchung",
  insuranceEnds: "Versicherung endet",
  taxDue: "Steuer fällig",
  breakdownCoverEnds: "Schutzbrief endet",
  breakdownCoverNumber: "Pannenhilfe",
  breakdownHint: "Die Telefonnummer oder die Nummer des Vertrags.",
  battery: "Batterie des Senders",
  noBattery: "Unbekannt",
  otherBattery: "Eine andere",
  batteryFitted: "Batterie eingesetzt am",
  batteryMonths: "Sie hält, in Monaten",
  batteryHint: "Bleibt das leer, nehmen wir, was bei ihrer Art üblich ist.",
  months: (months) => (months === 1 ? "1 Monat" : `${months} Monate`),
};
