/**
 * Arten und Farben von Rädern.
 *
 * @type {typeof import("./en-bike.js").enBike}
 */
export const deBike = {
  kinds: {motorbike: "Motorrad", scooter: "Roller", bicycle: "Fahrrad", other: "Anderes"},
  nouns: {motorbike: "Motorrad", scooter: "Roller", bicycle: "Fahrrad", other: "Zweirad"},
  these: {motorbike: "Dieses Motorrad", scooter: "Diesen Roller", bicycle: "Dieses Fahrrad", other: "Dieses Zweirad"},
  colours: {
    black: "Schwarz",
    white: "Weiß",
    grey: "Grau",
    silver: "Silber",
    red: "Rot",
    green: "Grün",
    blue: "Blau",
    teal: "Petrol",
    yellow: "Gelb",
    gold: "Gold",
    orange: "Orange",
    brown: "Braun",
    pink: "Rosa",
    purple: "Lila",
    other: "Andere",
  },
};
