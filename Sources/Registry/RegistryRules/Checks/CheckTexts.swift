public import RegistryAPI

/// The texts of the pages for people who check a bike's number before buying it. They promise nothing: neither answer
/// proves anything.
public struct CheckTexts: BilingualTexts {
    public let language: AlertLanguage

    public init(_ language: AlertLanguage) { self.language = language }

    /// The link to the form.
    public var invitation: String {
        text("Buying a used bike? Check its number.", "Kaufst du ein gebrauchtes Rad? Prüfe die Nummer.")
    }

    // The form.
    public var title: String { text("Check before you buy", "Vor dem Kauf prüfen") }
    public var lead: String {
        text(
            "Is a bike with this number reported as missing here? Read the number from the bike yourself.",
            "Ist ein Rad mit dieser Nummer hier als vermisst gemeldet? Lies die Nummer selbst am Rad ab.")
    }
    public var number: String { text("Serial or frame number", "Rahmen- oder Seriennummer") }
    public var numberHint: String {
        text(
            "On most bicycles it is under the frame, below the pedals. On a motorbike it is the vehicle identification number (VIN), on the frame.",
            "Beim Fahrrad meist unten am Rahmen, unter den Pedalen. Beim Motorrad ist es die Fahrgestellnummer am Rahmen."
        )
    }
    public var check: String { text("Check", "Prüfen") }
    public var keeping: String {
        text(
            "You need no account. What you check is not stored.",
            "Du brauchst kein Konto. Was du prüfst, wird nicht gespeichert.")
    }
    public var found: String {
        text("Found a bike? Write to its owner.", "Ein Rad gefunden? Schreibe dem Besitzer.")
    }
    public var noNumber: String { text("Please enter the number.", "Bitte gib die Nummer ein.") }
    public func fault(_ flaw: BikeNumber.Flaw) -> String {
        switch flaw {
        case .length:
            text(
                "A number has 4 to 40 letters and digits. Please compare it with the bike.",
                "Eine Nummer hat 4 bis 40 Buchstaben und Ziffern. Bitte vergleiche sie mit dem Rad.")
        case .characters:
            text(
                "Use only letters from A to Z and digits. Spaces, dots, hyphens and slashes make no difference.",
                "Nur Buchstaben von A bis Z und Ziffern. Leerzeichen, Punkte, Binde- und Schrägstriche spielen keine Rolle."
            )
        case .common:
            text(
                "Many bikes could have such a simple number, so it cannot be checked. Please compare it with the bike.",
                "Eine so einfache Nummer könnten viele Räder haben, daher lässt sie sich nicht prüfen. Bitte vergleiche "
                    + "sie mit dem Rad.")
        }
    }

    // A missing bike has the number.
    public var missing: String { text("Reported as missing", "Als vermisst gemeldet") }
    public var missingLead: String {
        text(
            "A bike with this number has been reported as missing here.",
            "Ein Rad mit dieser Nummer ist hier als vermisst gemeldet.")
    }
    public var missingSteps: [String] {
        isGerman
            ? [
                "Kaufe es nicht, und zahle nichts an.",
                "Stelle niemanden zur Rede, und bringe dich nicht in Gefahr.",
                "Sag es der Polizei, die feststellen kann, wem das Rad gehört.",
                "Schreibe unten dem Besitzer, was du weißt.",
            ]
            : [
                "Do not buy it, and pay no deposit.",
                "Do not confront anyone, and do not put yourself in danger.",
                "Tell the police: they can find out whose bike it is.",
                "Tell the owner what you know, below.",
            ]
    }
    public var missingDoubt: String {
        text(
            "This does not prove that the bike is stolen, or that anybody has done wrong. Owners report their own bikes, and "
                + "two bikes can have the same number. If it is your own bike, write that below. On the next page, "
                + "choose “End or report the conversation”, and report the owner.",
            "Das beweist nicht, dass das Rad gestohlen ist oder dass jemand etwas Unrechtes getan hat. Besitzer melden ihre "
                + "Räder selbst, und zwei Räder können dieselbe Nummer haben. Ist es dein eigenes Rad, schreibe das unten. "
                + "Wähle auf der nächsten Seite „Gespräch beenden oder melden“, und melde den Besitzer.")
    }
    public var word: String { text("Write to the owner", "Dem Besitzer schreiben") }
    public var wordLead: String {
        text(
            "Say where the bike is offered, and since when. The owner sees that you checked this number. Neither of you "
                + "learns the other’s name or address.",
            "Schreibe, wo das Rad angeboten wird und seit wann. Der Besitzer sieht, dass du diese Nummer geprüft hast. "
                + "Keiner erfährt Namen oder Adresse des anderen.")
    }

    // After sending.
    public var sentToOne: String {
        text(
            "It goes to the owner of the missing bike, who sees that you checked its number.",
            "Deine Nachricht geht an den Besitzer des vermissten Rads, der sieht, dass du die Nummer geprüft hast.")
    }
    public func sentToSeveral(_ count: Int) -> String {
        text(
            "It goes to the owners of \(count) bikes with this number. Each of them answers in a separate conversation.",
            "Deine Nachricht geht an die Besitzer von \(count) Rädern mit dieser Nummer. Jeder antwortet in einem eigenen Gespräch."
        )
    }
    public var answersHint: String {
        text(
            "Answers appear only on the pages of your conversations. Open each of them, and keep its address, for example "
                + "as a bookmark. Show the addresses to nobody.",
            "Antworten erscheinen nur auf den Seiten deiner Gespräche. Öffne jedes, und bewahre die Adresse auf, "
                + "zum Beispiel als Lesezeichen. Zeige die Adressen niemandem.")
    }
    public func open(_ number: Int) -> String { text("Open conversation \(number)", "Gespräch \(number) öffnen") }
    public var answerDoubt: String {
        text(
            "Nobody has checked who answers. Do not buy the bike because of an answer; ask the police.",
            "Niemand hat geprüft, wer antwortet. Kaufe das Rad nicht wegen einer Antwort; frage die Polizei.")
    }

    // A missing bike has a number that is easily misread as this one.
    public var perhaps: String { text("Perhaps reported as missing", "Vielleicht als vermisst gemeldet") }
    public var perhapsLead: String {
        text(
            "A bike with a similar number has been reported as missing here.",
            "Ein Rad mit einer ähnlichen Nummer ist hier als vermisst gemeldet.")
    }
    public var perhapsDoubt: String {
        text(
            "Some characters are easily misread. Look at them on the bike again, and check the number that is there.",
            "Manche Zeichen sind leicht zu verwechseln. Sieh am Rad noch einmal nach, und prüfe die Nummer, die "
                + "dort steht.")
    }
    public var reportedNumber: String { text("Number reported as missing", "Als vermisst gemeldete Nummer") }
    public func difference(_ difference: SimilarNumber.Difference) -> String {
        let (checked, reported) = (name(of: difference.checked), name(of: difference.reported))
        return text(
            "Character \(difference.position): you entered \(checked); the reported number has \(reported).",
            "Zeichen \(difference.position): Du hast \(checked) eingegeben, in der gemeldeten Nummer steht \(reported)."
        )
    }
    /// A character that is easily misread, with its kind: letter or digit.
    private func name(of character: String) -> String {
        switch character {
        case "0": text("0 (the digit zero)", "0 (die Ziffer Null)")
        case "1": text("1 (the digit one)", "1 (die Ziffer Eins)")
        default: text("\(character) (the letter)", "\(character) (der Buchstabe)")
        }
    }
    public func checkOther(_ number: String) -> String { text("Check \(number)", "\(number) prüfen") }

    // A bike with the number, or with a similar one, is missing at another registry.
    public var elsewhere: String { text("Reported as missing elsewhere", "Anderswo als vermisst gemeldet") }
    public func elsewhereLead(_ registry: String) -> String {
        text(
            "A bike with this number has been reported as missing at another registry: \(registry).",
            "Ein Rad mit dieser Nummer ist bei einem anderen Register als vermisst gemeldet: \(registry).")
    }
    public func similarElsewhere(_ registry: String) -> String {
        text(
            "A bike with a similar number has been reported as missing at another registry: \(registry).",
            "Ein Rad mit einer ähnlichen Nummer ist bei einem anderen Register als vermisst gemeldet: \(registry).")
    }
    public var checkElsewhere: String {
        text("Check the number there, and write to the owner", "Nummer dort prüfen und dem Besitzer schreiben")
    }
    public func unasked(_ registries: String) -> String {
        text(
            "These registries could not be asked: \(registries). Try again later.",
            "Diese Register waren nicht zu erreichen: \(registries). Versuche es später noch einmal.")
    }

    // No missing bike has the number.
    public var notMissing: String {
        text(
            "No bike with this number is reported as missing here",
            "Hier ist kein Rad mit dieser Nummer als vermisst gemeldet")
    }
    public var nothing: String { text("This proves nothing.", "Das beweist nichts.") }
    public var nothingReasons: String {
        text(
            "Most bikes are in no register, most owners do not allow this check, and a theft may not have been "
                + "noticed yet. A seller’s picture of this page proves nothing either.",
            "Die meisten Räder stehen in keinem Register, die meisten Besitzer erlauben diese Prüfung nicht, und mancher "
                + "Diebstahl ist noch nicht bemerkt. Auch ein Bild dieser Seite vom Verkäufer beweist nichts.")
    }
    public var advice: String { text("Before you buy", "Vor dem Kauf") }
    public var adviceSteps: [String] {
        isGerman
            ? [
                "Lies die Nummer selbst am Rad ab. Ist sie abgeschliffen, überklebt oder verändert, kaufe es nicht.",
                "Lass dir den Kaufbeleg und einen Ausweis zeigen. Steht auf beiden derselbe Name? Ist es die Nummer am Rad?",
                "Prüfe die Nummer auch in anderen Registern, und frage im Zweifel die Polizei.",
                "Sei vorsichtig, wenn der Preis sehr niedrig ist, wenn der Verkäufer drängt oder sich auf der Straße treffen will.",
            ]
            : [
                "Read the number from the bike yourself. If it is filed off, covered or altered, do not buy the bike.",
                "Ask to see the proof of purchase and an identity card. Is the name on both the same? Is the number the one on the bike?",
                "Check the number in other registers, too, and if in doubt ask the police.",
                "Be careful if the price is very low, if the seller is in a hurry, or if the seller wants to meet in the street.",
            ]
    }
    public var another: String { text("Check another number", "Eine andere Nummer prüfen") }
    public func tooMany(_ seconds: Int) -> String {
        let wait = FinderTexts(language).wait(seconds)
        return text(
            "Too many numbers were checked from your network, or by all people together. Please try again in \(wait).",
            "Aus deinem Netz oder von allen zusammen wurden zu viele Nummern geprüft. Bitte versuche es in \(wait) wieder."
        )
    }
    public var failed: String {
        text(
            "The number was not checked. Please go back and try again in a few minutes.",
            "Die Nummer wurde nicht geprüft. Bitte geh zurück und versuche es in einigen Minuten wieder.")
    }
}
