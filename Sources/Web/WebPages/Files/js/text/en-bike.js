/** The kinds and colours of bikes. */
export const enBike = {
  kinds: {motorbike: "Motorbike", scooter: "Scooter", bicycle: "Bicycle", other: "Other"},
  /** As in “Not my scooter”. */
  nouns: {motorbike: "motorbike", scooter: "scooter", bicycle: "bike", other: "bike"},
  /** As in “Delete this scooter”. */
  these: {motorbike: "this motorbike", scooter: "this scooter", bicycle: "this bike", other: "this bike"},
  colours: {
    black: "Black",
    white: "White",
    grey: "Grey",
    silver: "Silver",
    red: "Red",
    green: "Green",
    blue: "Blue",
    teal: "Teal",
    yellow: "Yellow",
    gold: "Gold",
    orange: "Orange",
    brown: "Brown",
    pink: "Pink",
    purple: "Purple",
    other: "Other",
  },
};
