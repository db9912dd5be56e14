/**
 * The numbers under which the police take a call about a theft, by country. Where 112 is the number, nothing stands
 * here: it reaches the police in Europe, and on a mobile phone nearly everywhere.
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
