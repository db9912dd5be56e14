public import RegistryAPI

/// The texts of the pages for people who have found a bike.
public struct FinderTexts: BilingualTexts {
    public let language: AlertLanguage

    public init(_ language: AlertLanguage) { self.language = language }

    // The form.
    public var title: String { text("Found a bike?", "Ein Zweirad gefunden?") }
    public var lead: String {
        text(
            "Write to its owner here. You need no account, and neither of you learns the other’s name or address.",
            "Schreibe hier dem Besitzer. Du brauchst kein Konto, und keiner erfährt Namen oder Adresse des anderen."
        )
    }
    public var steps: [String] {
        isGerman
            ? [
                "Schreibe, wo genau das Zweirad steht und seit wann.",
                "Bringe dich nicht in Gefahr: Nimm es niemandem weg und stelle niemanden zur Rede.",
                "Wenn du einen Diebstahl beobachtest, rufe die Polizei.",
            ]
            : [
                "Say exactly where the bike is, and since when.",
                "Do not put yourself in danger: do not try to take it from anyone, and do not confront anyone.",
                "If you see a theft happen, call the police.",
            ]
    }
    public var code: String { text("Code on the sticker", "Code auf dem Aufkleber") }
    public var codeHint: String {
        text("Twelve letters and digits, such as 4FQK-M2XP-V9TD", "Zwölf Buchstaben und Ziffern, wie 4FQK-M2XP-V9TD")
    }
    public var beacon: String { text("No sticker, but a beacon?", "Kein Aufkleber, aber ein Sender?") }
    public var beaconHint: String {
        text(
            "A beacon is a small Bluetooth transmitter on the bike. An app for beacons shows its three values. Fill in all "
                + "of them.",
            "Ein Sender ist ein kleines Bluetooth-Gerät am Rad. Eine App für solche Sender zeigt drei Werte. Fülle alle "
                + "aus.")
    }
    public var message: String { text("Your message", "Deine Nachricht") }
    public var messageHint: String {
        text(
            "At most 500 characters. Do not write your name or address unless the owner should know it.",
            "Höchstens 500 Zeichen. Schreibe Namen und Adresse nur, wenn der Besitzer sie kennen soll.")
    }
    public var here: String { text("Add where I am", "Meinen Standort einfügen") }
    /// The beginning of the line with the place, before the coordinates.
    public var hereLine: String { text("I am here:", "Ich bin hier:") }
    public var hereWaiting: String { text("Looking for your position…", "Dein Standort wird gesucht…") }
    public var hereAdded: String {
        text(
            "Added to your message. Delete the line if you do not want to send it.",
            "In deine Nachricht eingefügt. Lösche die Zeile, wenn du sie nicht senden willst.")
    }
    public var hereDenied: String {
        text(
            "This device does not say where it is. Please describe the place.",
            "Dieses Gerät verrät seinen Standort nicht. Bitte beschreibe den Ort.")
    }
    public var hereFull: String {
        text(
            "There is no room for it: please shorten your message first.",
            "Dafür ist kein Platz: Bitte kürze zuerst deine Nachricht.")
    }
    public var photo: String { text("Add a photo", "Foto hinzufügen") }
    public var photoHint: String {
        text(
            "It is sent without the place and the other data of your camera. Show no faces.",
            "Es wird ohne Ort und andere Daten deiner Kamera gesendet. Zeige keine Gesichter.")
    }
    public var photoSending: String { text("Being sent…", "Wird gesendet…") }
    public var photoSent: String { text("Your photo has been sent.", "Dein Foto ist gesendet.") }
    public var photoFailed: String {
        text(
            "The photo was not sent. Please try again, or another one.",
            "Das Foto wurde nicht gesendet. Bitte versuche es noch einmal oder mit einem anderen.")
    }
    public var photoUnreadable: String {
        text(
            "This browser cannot read the photo. Please save it as JPEG, or take it with this page.",
            "Dieser Browser kann das Foto nicht lesen. Bitte speichere es als JPEG, oder nimm es mit dieser Seite auf.")
    }
    public var tooManyPhotos: String {
        text(
            "No more photos can be added now: \(MessageRules.photos) in a conversation, and "
                + "\(MessageRules.photosPerNetwork) a day from your network.",
            "Jetzt können keine Fotos mehr dazukommen: \(MessageRules.photos) in einem Gespräch und "
                + "\(MessageRules.photosPerNetwork) am Tag aus deinem Netz.")
    }
    public var photoShown: String { text("Photo that you added", "Foto, das du hinzugefügt hast") }
    public var send: String { text("Send", "Senden") }
    public var keeping: String {
        text(
            "Messages are deleted 30 days after the conversation ends.",
            "Nachrichten werden 30 Tage nach dem Ende des Gesprächs gelöscht.")
    }

    // What is wrong with a form.
    public var wrongCode: String {
        text(
            "This is not a code: a character is wrong or missing. Please compare it with the sticker.",
            "Das ist kein Code: Ein Zeichen ist falsch oder fehlt. Bitte vergleiche ihn mit dem Aufkleber.")
    }
    public var nothingNamed: String {
        text(
            "Which bike? Fill in the code, or all three values of the beacon.",
            "Welches Zweirad? Fülle den Code oder alle drei Werte des Senders aus.")
    }
    public var wrongBeacon: String {
        text(
            "Please check the three values: a UUID of 32 digits and letters, and two numbers up to 65535.",
            "Bitte prüfe die drei Werte: eine UUID aus 32 Ziffern und Buchstaben und zwei Zahlen bis 65535.")
    }
    public var wrongMessage: String {
        text(
            "Please write a message of at most 500 characters.",
            "Bitte schreibe eine Nachricht mit höchstens 500 Zeichen.")
    }

    // After sending.
    public var sent: String { text("Your message has been sent", "Deine Nachricht ist gesendet") }
    public var sentHint: String {
        text(
            "If this code or beacon belongs to a registered bike, its owner can read your message. To protect owners, "
                + "this page does not say whether it does.",
            "Gehört der Code oder Sender zu einem registrierten Zweirad, kann der Besitzer deine Nachricht lesen. Zum Schutz "
                + "der Besitzer sagt diese Seite nicht, ob das so ist.")
    }
    /// For somebody who follows the search by a link.
    public var sharedHint: String {
        text(
            "It goes to the owner of the bike, who sees that you have the link to the search.",
            "Sie geht an den Besitzer des Rads, der sieht, dass du den Link zur Suche hast.")
    }
    public var answerHint: String {
        text(
            "Answers appear only on this page. Keep its address, for example as a bookmark, and look again later. Show "
                + "the address to nobody.",
            "Antworten erscheinen nur auf dieser Seite. Bewahre ihre Adresse auf, zum Beispiel als Lesezeichen, und "
                + "sieh später nach. Zeige die Adresse niemandem.")
    }

    // The conversation.
    public var conversation: String { text("Your conversation", "Dein Gespräch") }
    public func side(_ side: ConversationSide) -> String {
        side == .finder ? text("You", "Du") : text("Owner", "Besitzer")
    }
    /// Before the time of the owner's last message.
    public var answered: String { text("The owner answered:", "Der Besitzer hat geantwortet:") }
    public var refresh: String { text("Check for an answer", "Nach einer Antwort sehen") }
    public var end: String { text("End the conversation", "Gespräch beenden") }
    public var endOrReport: String { text("End or report the conversation", "Gespräch beenden oder melden") }
    public var endHint: String {
        text("After that, nobody can write any more.", "Danach kann niemand mehr schreiben.")
    }
    public var report: String { text("End it and report the owner", "Beenden und den Besitzer melden") }
    public var reportHint: String {
        text(
            "If you report the owner, the operator of this registry can read the conversation.",
            "Wenn du den Besitzer meldest, kann der Betreiber dieses Registers das Gespräch lesen.")
    }
    public var reportEnded: String { text("Report the owner", "Den Besitzer melden") }
    public var reported: String {
        text(
            "You have reported the owner. The operator of this registry can read the conversation.",
            "Du hast den Besitzer gemeldet. Der Betreiber dieses Registers kann das Gespräch lesen.")
    }
    public var back: String { text("Back to the conversation", "Zurück zum Gespräch") }
    public var caution: String {
        text(
            "Pay nothing, forward no money or parcels for anyone, and meet nobody alone.",
            "Zahle nichts, leite weder Geld noch Pakete weiter und triff dich mit niemandem allein.")
    }

    public func refusal(_ refusal: MessageRefusal, deleted: Timestamp?) -> String {
        switch refusal {
        case .ended:
            deleted.map {
                text(
                    "The conversation has ended. It is deleted \(moment($0)).",
                    "Das Gespräch ist beendet. Es wird \(moment($0)) gelöscht.")
            } ?? text("The conversation has ended.", "Das Gespräch ist beendet.")
        case .awaitingAnswer:
            text(
                "You have written \(MessageRules.unanswered) messages. You can write again when the owner has answered.",
                "Du hast \(MessageRules.unanswered) Nachrichten geschrieben. Wenn der Besitzer geantwortet hat, kannst du "
                    + "wieder schreiben."
            )
        case .tooManyToday:
            text(
                "You have written \(MessageRules.perDay) messages in a day. Please write again tomorrow.",
                "Du hast \(MessageRules.perDay) Nachrichten an einem Tag geschrieben. Bitte schreibe morgen wieder."
            )
        case .full, .tooManyAnswered:
            text("This conversation is full.", "Dieses Gespräch ist voll.")
        case .tooManyPhotos: tooManyPhotos
        case .tooManyReports:
            text(
                "You cannot report this now: the operator has not dealt with earlier reports yet. Please try again in a few "
                    + "days.",
                "Das kannst du jetzt nicht melden: Der Betreiber hat frühere Meldungen noch nicht bearbeitet. Bitte "
                    + "versuche es in einigen Tagen wieder."
            )
        case .tooManyConversations:
            text(
                "From your network, too many conversations about this bike were begun today. Please write in one that you "
                    + "have, or try again tomorrow or from another network.",
                "Aus deinem Netz wurden heute zu viele Gespräche zu diesem Zweirad begonnen. Bitte schreibe in einem, das "
                    + "du hast, oder versuche es morgen oder aus einem anderen Netz.")
        }
    }

    // Pages in place of errors.
    public var unknown: String { text("This link does not work", "Dieser Link funktioniert nicht") }
    public var unknownHint: String {
        text(
            "The conversation was deleted, or the address was not copied completely.",
            "Das Gespräch wurde gelöscht, oder die Adresse wurde nicht vollständig kopiert.")
    }
    public var failed: String { text("That did not work", "Das hat nicht geklappt") }
    public var foreign: String {
        text(
            "Another website sent this form, so nothing was stored. Please write on this page.",
            "Eine andere Website hat dieses Formular gesendet, deshalb wurde nichts gespeichert. Bitte schreibe auf dieser Seite."
        )
    }
    public func tooFast(_ seconds: Int) -> String {
        text(
            "Too many requests came from your network. Please go back and try again in \(wait(seconds)).",
            "Aus deinem Netz kamen zu viele Anfragen. Bitte geh zurück und versuche es in \(wait(seconds)) wieder."
        )
    }
    func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: text("\(seconds) seconds", "\(seconds) Sekunden")
        case ..<7200: text("\(seconds / 60 + 1) minutes", "\(seconds / 60 + 1) Minuten")
        default: text("\(seconds / 3600 + 1) hours", "\(seconds / 3600 + 1) Stunden")
        }
    }
    public var failedHint: String {
        text(
            "Your message was not sent. Please go back and try again in a few minutes.",
            "Deine Nachricht wurde nicht gesendet. Bitte geh zurück und versuche es in einigen Minuten wieder."
        )
    }

    // The frame of each page.
    public var another: String { text("Write about another bike", "Zu einem anderen Zweirad schreiben") }

    /// A time in UTC, since the reader's zone is not known.
    public func moment(_ time: Timestamp) -> String {
        let zone = LocalZone()
        return language.words.moment(zone.clock(at: time), zone: zone.label(at: time))
    }
}
