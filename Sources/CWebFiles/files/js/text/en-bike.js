/** The kinds and colours of bikes. */
export const enBike = {
  kinds: {motorbike: "Motorbike", scooter: "Scooter", bicycle: "Bicycle", other: "Other"},
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
