/** The texts of the list of what makes a bike ready. */
export const enSetup = {
  /**
   * @param {number} done
   * @param {number} all
   */
  title: (done, all) => (done === all ? "All is ready" : `Be ready: ${done} of ${all} done`),
  done: "Done",
  beacon: "Set the beacon",
  beaconOpen: "To the three values below. It is done when a station has heard it.",
  beaconLink: "Show the values",
  test: "Test it",
  testLead:
      "For half an hour stations listen for the beacon as if the bike were missing. You learn only that one heard it, not where, and no alarm rings.",
  start: "Start a test",
  again: "Test again",
  /** @param {string} until */
  running: (until) => `Stations listen until ${until}. Ride or walk past one; this page says when it was heard.`,
  /** @param {string} when */
  heard: (when) => `Last heard in a test ${when}`,
  unheard:
      "No station heard it. Is it set to these values, on, and not behind metal? And was a station within 30 metres? A test tells you no more.",
  proof: "With the test above.",
  rotating: "Stations cannot test it. Run “findmybike beacon check” beside the bike.",
  messages: "Turn on messages",
  messagesOpen: "So that you learn at once when a station hears it.",
  otherWays: "Other ways",
  photo: "Add a photo",
  choosePhoto: "Choose a photo",
  photoOpen: "For the police, and for whoever looks for the bike.",
  /**
   * @param {boolean} hasEngine
   * @returns {string}
   */
  number: (hasEngine) => (hasEngine ? "Enter frame or engine number" : "Enter the frame number"),
  numberOpen: "Police and insurers ask for it.",
  enter: "Enter it",
};
