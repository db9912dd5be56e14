/**
 * Was schiefging, in Sätzen, die sagen, was zu tun ist.
 *
 * @type {typeof import("./en-problems.js").enProblems}
 */
export const deProblems = {
  kinds: {
    "already-member":
        "Dieses Rad ist deins, oder es wird schon mit dir geteilt. Die Einladung gilt weiter für jemand anderen.",
    "bike-not-missing": "Das Rad wird nicht vermisst. Melde es zuerst als vermisst.",
    "display-unpaired": "Diese Anzeige ist mit keiner Station verbunden. Frage den Betreiber nach einem neuen Code.",
    "displays-full":
        "Diese Station hat alle Anzeigen, die sie haben kann. Trenne zuerst eine, die niemand mehr benutzt.",
    "invitation-unusable":
        "Diese Einladung gilt nicht: Der Link ist unvollständig, oder sie wurde benutzt, zurückgezogen oder ist abgelaufen. Frage nach einer neuen.",
    "invitations-full": "Zu viele Einladungen sind offen. Zieh zuerst eine zurück.",
    "links-unavailable":
        "Dieses Register kann keine Links anlegen: Sein Betreiber muss erst die Adresse (publicURL) setzen.",
    "members-full": "Mehr Personen können dieses Rad nicht teilen. Entferne zuerst eine.",
    "role-needed": "Das darfst du bei diesem Rad nicht. Frage die Person, die es mit dir teilt.",
    "search-over": "Die Suche ist zu Ende.",
    "share-in-use": "Diesen Link hat schon jemand geöffnet. Lade die Seite neu und lege einen anderen an.",
    "shares-full": "Diese Suche hat so viele Links wie möglich. Widerrufe zuerst einen.",
    "too-many-conversations": "Aus diesem Netz wurde heute schon zu oft geschrieben. Versuche es morgen wieder.",
    "too-many-finder-photos": "In diesem Gespräch, oder aus diesem Netz heute, sind schon so viele Fotos wie erlaubt.",
    "too-many-memberships": "Mit dir werden schon zu viele Räder geteilt. Beende das zuerst bei einem.",
    "answer-awaited": "Du hast drei Nachrichten geschrieben. Warte auf die Antwort des Finders.",
    "conversation-ended": "Dieses Gespräch ist beendet.",
    "conversation-full": "Dieses Gespräch ist voll. Vereinbare einen anderen Weg.",
    "too-many-reports":
        "Der Betreiber hat viele Meldungen von dir. Versuche es später, oder beende das Gespräch ohne Meldung.",
    "too-many-answered": "Du hast zu viele offene Gespräche. Beende zuerst eines.",
    "too-many-messages-today": (wait) =>
        `Du hast an einem Tag zehn Nachrichten geschrieben. Warte ${wait} und schreibe dann wieder.`,
    "bike-missing": "Das geht nicht, solange das Rad vermisst ist. Beende zuerst die Suche.",
    "beacon-stopped": "Der Betreiber hat die Suche nach diesem Sender gestoppt. Schreibe ihm.",
    "objections-used-up": "Weitere Einsprüche gegen diesen Stopp sind nicht möglich. Schreibe dem Betreiber.",
    "beacon-clock-differs":
        "Die Uhr dieses Senders geht anders als bei der letzten Prüfung. Solange das Zweirad vermisst wird, wird das abgelehnt: Prüfe noch einmal, wenn es wieder da ist.",
    "beacon-key-unreadable":
        "Das Register kann den Schlüssel dieses Senders nicht lesen; deshalb kann ihn keine Station hören. Schreib dem Betreiber, oder gib dem Rad einen anderen Sender.",
    "verification-needed":
        "Sender mit wechselnden Werten gibt es hier nur für Konten, die der Betreiber geprüft hat. Schreibe ihm.",
    "rotation-unavailable": "Dieses Register hat noch keine Sender mit wechselnden Werten. Frag seinen Betreiber.",
    "beacon-unproved": "Der Sender ist noch nicht bestätigt. Auf der Seite des Rads steht, was zu tun ist.",
    "changed-meanwhile": "Es wurde inzwischen woanders geändert. Lade die Seite neu und versuche es noch einmal.",
    "channel-unverified": "Diese Adresse ist noch nicht bestätigt. Öffne den Link in der Nachricht, die dorthin ging.",
    "channel-verified": "Diese Adresse ist schon bestätigt.",
    "code-unusable":
        "Dieser Code gilt nicht: Er ist benutzt, abgelaufen oder enthält einen Tippfehler. Versuche einen anderen.",
    "cross-site": "Der Browser hat das nicht von der Seite dieses Registers gesendet. Öffne es unter seiner Adresse.",
    "export-running": "Deine Daten werden gerade schon heruntergeladen. Versuche es wieder, wenn das fertig ist.",
    "fault": "Beim Register ist ein Fehler aufgetreten. Versuche es später, oder schreibe dem Betreiber.",
    "idempotency-key-reused":
        "Das wurde schon mit anderem Inhalt gesendet. Lade die Seite neu und versuche es noch einmal.",
    "identities-exhausted": "Das Register kann keine weiteren Sender vergeben. Frage den Betreiber.",
    "identity-taken": "Ein anderes Rad hat oder hatte einen Sender mit diesen Werten. Gib dem Sender andere.",
    "insufficient-scope":
        "Du hast dich mit einem Token angemeldet, der das nicht erlaubt. Melde dich ab, und mit einem Passkey oder Wiederherstellungscode wieder an.",
    "invalid-fields": "Etwas stimmt hier nicht. Prüfe deine Angaben.",
    "invitation-needed": "Hier kann man nur mit einer Einladung ein Konto anlegen. Frage den Betreiber danach.",
    "not-found": "Das gibt es nicht mehr, oder es gehört nicht dir.",
    "outcome-unknown":
        "Das Register weiß nicht, ob es das gespeichert hat. Sieh nach, und versuche es sonst noch einmal.",
    "overloaded": "Das Register ist überlastet. Nichts wurde geändert. Versuche es gleich noch einmal.",
    "owner-suspended": "Der Betreiber hat dieses Konto gesperrt. Schreibe ihm.",
    "passkey-copied":
        "Vielleicht gibt es eine Kopie dieses Passkeys. Melde dich mit einem Wiederherstellungscode an, entferne den Passkey und lege einen neuen an.",
    "passkey-known": "Diesen Passkey gibt es hier schon. Melde dich damit an, oder lege einen anderen an.",
    "passkey-refused":
        "Dieser Passkey wurde nicht angenommen. Versuche es noch einmal, oder nimm einen Wiederherstellungscode.",
    "photo-unusable":
        "Dieses Foto kann nicht verwendet werden: Es ist kein JPEG, zu groß, oder ein Teil fehlt. Speichere es als JPEG (.jpg) mit höchstens 50 Megapixeln, oder kopiere es noch einmal von der Kamera.",
    "photos-full": "Das Rad hat so viele Fotos wie möglich. Entferne zuerst eines.",
    "place-lost":
        "Auch andere senden gerade Fotos, und deines war das langsamste. Versuche es später oder mit besserem Netz.",
    "quota-reached":
        "Mehr davon sind hier nicht erlaubt. Entferne etwas, das du nicht mehr brauchst, oder frage den Betreiber.",
    "recovery-code-needed": "Dafür brauchst du einen Wiederherstellungscode.",
    "report-already-closed": "Diese Suche ist schon zu Ende.",
    "report-already-open": "Dieses Rad ist schon als vermisst gemeldet. Lade die Seite neu.",
    "sign-in-unavailable": "Der Betreiber muss das Register erst einrichten, bevor man sich im Browser anmelden kann.",
    "signing-key-missing": "Dieses Register kann Beweise nicht signieren. Frage den Betreiber.",
    "storage-unavailable": "Das Register kann gerade nichts speichern. Sieh später nach, ob deine Änderung ankam.",
    "token-unusable": "Dieser Token gilt nicht. Prüfe ihn, oder nimm einen Wiederherstellungscode.",
    "too-large": "Das ist zu groß. Verkleinere es und versuche es noch einmal.",
    "too-many-messages": (wait) =>
        `Es wurden zu viele Nachrichten gesendet. Warte ${wait} und versuche es dann noch einmal.`,
    "too-many-passkeys": "Du hast so viele Passkeys, wie hier erlaubt sind. Entferne einen, den du nicht mehr benutzt.",
    "too-many-requests": (wait) => `Zu viele Versuche. Warte ${wait} und versuche es dann noch einmal.`,
    "too-many-streams": "Diese Seite ist zu oft geöffnet. Schließe andere Fenster, die sie zeigen.",
    "too-many-today": (wait) => `Das war heute zu oft. Warte ${wait}, oder frage den Betreiber.`,
    "too-many-uploads": (wait) => `Zu viele Fotos in einer Stunde. Warte ${wait} und versuche es dann noch einmal.`,
    "too-slow": "Die Verbindung war zu langsam. Versuche es mit einer besseren noch einmal.",
    "wrong-media-type": "Nur JPEG-Fotos gehen hier. Speichere das Bild als JPEG (.jpg) und versuche es noch einmal.",
  },
  fields: {
    buyerCheck:
        "Dafür braucht es eine Rahmen- oder Fahrgestellnummer aus 4 bis 40 Buchstaben (A–Z) und Ziffern, und keine wie 0000, die viele Räder haben könnten.",
    code: "Gib den Code so ein, wie er auf deiner Liste steht.",
    colours: "Wähle eine bis drei Farben.",
    from: "Gib an, wann die Ruhezeit beginnt, zum Beispiel 22:00.",
    identity:
        "Dieses Register nimmt diese Werte nicht an: Es wählt sie selbst, oder viele Sender haben sie. Lass alle drei Felder leer.",
    invitation: "Prüfe die Einladung: Darin ist ein Tippfehler.",
    kind: "Das gibt es hier nicht.",
    lastPlace: "Dieser Standort geht nicht. Lass ihn weg.",
    major: "Gib eine ganze Zahl von 0 bis 65535 ein.",
    make: "Gib die Marke an, mit höchstens 64 Zeichen.",
    minor: "Gib eine ganze Zahl von 0 bis 65535 ein.",
    missingSince: "Gib eine Zeit an, die nicht in der Zukunft liegt und höchstens 30 Tage her ist.",
    model: "Gib das Modell an, mit höchstens 64 Zeichen.",
    name: "Verwende 1 bis 64 Zeichen.",
    note: "Verwende höchstens 500 Zeichen.",
    notes: "Verwende höchstens 500 Zeichen.",
    plate: "Verwende höchstens 64 Zeichen.",
    policeForce: "Verwende höchstens 64 Zeichen.",
    policeReference: "Verwende höchstens 64 Zeichen.",
    recoveryCode: "Gib den Code so ein, wie er auf deiner Liste steht.",
    serial: "Verwende höchstens 64 Zeichen.",
    to: "Gib an, wann die Ruhezeit endet. Das muss eine andere Zeit sein als ihr Beginn.",
    token: "Prüfe den Token: Darin ist ein Tippfehler.",
    url: "Gib eine Adresse an, zum Beispiel ich@example.org.",
    uuid: "Gib die 32 Ziffern und Buchstaben (0–9, a–f) der UUID ein.",
    vin: "Verwende höchstens 64 Zeichen. Eine Fahrgestellnummer mit 17 Zeichen hat kein I, O und Q: Gib 1 oder 0 ein.",
    year: "Gib ein Jahr von 1885 bis nächstes Jahr an.",
    zone: "Wähle eine Zeitzone aus der Liste.",
  },
  aMoment: "einen Moment",
};
