/**
 * The numbers for reporting a theft to the police, by country. Countries with 112 are not listed: it reaches the police
 * in Europe, and on a mobile phone nearly everywhere.
 *
 * @type {[string, RegExp][]}
 */
const numbers = [
  ["110", /^(Europe\/(Berlin|Busingen)|Asia\/(Tokyo|Shanghai))$/],
  ["133", /^(Europe\/Vienna|America\/Santiago)$/],
  ["117", /^Europe\/(Zurich|Vaduz)$/],
  ["17", /^Europe\/(Paris|Monaco)$/],
  ["101", /^Europe\/London$/],
  ["190", /^America\/(Sao_Paulo|Bahia|Fortaleza|Manaus|Recife|Belem)$/],
  ["123", /^America\/Bogota$/],
  ["105", /^(America\/Lima|Pacific\/Auckland)$/],
  ["911", /^(America\/|Pacific\/Honolulu$)/],
  ["131444", /^Australia\//],
  ["999", /^Asia\/(Hong_Kong|Singapore)$/],
  ["10111", /^Africa\/Johannesburg$/],
];

/**
 * The number of the police where this phone is. Its time zone says that; its language does not.
 *
 * @param {string} [zone]
 */
export function policeNumber(zone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  return numbers.find(([, zones]) => zones.test(zone))?.[0] ?? "112";
}
