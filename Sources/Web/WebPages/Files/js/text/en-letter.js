/** The letter to the police. */
export const enLetter = {
  title: "Letter to the police",
  sender: "Your name and address",
  senderHint: "Only for this print. It is neither stored nor sent.",
  name: "Name",
  address: "Address",
  phone: "Telephone",
  force: "To the police",
  /** @param {string} reference */
  reference: (reference) => `Your reference: ${reference}`,
  subjects:
      {bicycle: "Stolen bicycle", motorbike: "Stolen motorbike", scooter: "Stolen scooter", other: "Stolen vehicle"},
  greeting: "To whom it may concern,",
  things: {bicycle: "My bicycle", motorbike: "My motorbike", scooter: "My scooter", other: "My vehicle"},
  /**
   * @param {string} thing
   * @param {string} since
   */
  missing: (thing, since) => `${thing} has been missing since ${since}. I believe that it was stolen.`,
  /**
   * @param {string} thing
   * @param {string} from
   * @param {string} to
   */
  wasMissing: (thing, from, to) => `${thing} was missing from ${from} to ${to}.`,
  beacon:
      "A Bluetooth beacon is hidden in it. The stations of a registry, in cafés, garages and petrol stations for example, listen for this beacon while the bike is missing.",
  bike: "Description",
  lastPlace: "Last known place",
  identity: "iBeacon",
  /** @param {number} count */
  heard: (count) => (count === 1 ? "A station has heard it once:" : `Stations have heard it ${count} times:`),
  /**
   * @param {string} now
   * @param {string | null} until
   */
  notHeard: (now, until) => `Up to ${now} no station has heard it. ${
      until ? `Stations listen until ${until}. ` : ""}I will tell you as soon as one hears it.`,
  neverHeard: "No station heard it in this time.",
  when: "When",
  station: "Station",
  place: "Place (WGS 84)",
  certainty: "Certainty",
  how:
      "Each place is that of a station. A station hears a beacon within about 30 metres, or 100 metres in the open, so the bike was near that place but not exactly there.",
  levels:
      "Possible: one station heard it. Corroborated: stations of different venues heard it, or somebody there saw the bike. Disputed: something contradicts it.",
  /** @param {string} address */
  evidence: (address) => `I can give you an evidence pack of the registry at ${
      address}: a ZIP file with all sightings, signed so that any later change shows. Its README.txt explains it. To check it, run “findmybike evidence verify FILE --key FINGERPRINT” with this fingerprint of the registry’s key:`,
  compare: "Please confirm the fingerprint with the registry’s operator by telephone.",
  request: "Please tell me whom I can call when a station hears it again.",
  closing: "Yours faithfully",
  date: "Place and date",
  signature: "Signature",
  noReport: "This bike is not reported missing, so there is nothing to write to the police.",
};
