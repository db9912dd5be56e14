/** The texts about the dates of which an owner is reminded. */
export const enUpkeep = {
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
