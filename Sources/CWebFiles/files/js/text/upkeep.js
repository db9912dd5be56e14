import {language} from "../text.js";

const en = {
  title: "Reminders",
  lead: "You get a message 30 and 7 days before each date, by day. Only you and those who manage the bike see them.",
  inspectionDue: "Next inspection (MOT)",
  insuranceEnds: "Insurance ends",
  taxDue: "Tax due",
  breakdownCoverEnds: "Breakdown cover ends",
  breakdownCoverNumber: "Breakdown number",
  breakdownHint: "The telephone number to call, or the policy’s number.",
  battery: "Battery of the beacon",
  noBattery: "Not known",
  otherBattery: "Another kind",
  batteryFitted: "Battery fitted on",
  batteryMonths: "It lasts, in months",
  batteryHint: "Leave this empty, and we take what is usual for its type.",
  /** @param {number} months */
  months: (months) => (months === 1 ? "1 month" : `${months} months`),
};

/** @type {typeof en} */
const de = {
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

/** The texts about the dates of which an owner is reminded. */
export function upkeepTexts() { return language === "de" ? de : en; }
