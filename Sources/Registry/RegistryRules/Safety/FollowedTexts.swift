public import RegistryAPI

/// The texts of the pages for somebody who feels followed. The person may be in a hurry, and not alone: sentences are
/// short, and a bike's owner is never named.
public struct FollowedTexts: BilingualTexts {
    public let language: AlertLanguage

    public init(_ language: AlertLanguage) { self.language = language }

    /// The title of the page, and the link to it in the foot of all pages.
    public var title: String { text("Something travels with me", "Ein Sender ist bei mir") }
    public var lead: String {
        text(
            "Here bikes carry small Bluetooth beacons, so that a stolen one is found. Somebody may have put such a beacon "
                + "into your bag or your car. This page helps you to find it.",
            "Hier tragen Zweiräder kleine Bluetooth-Sender, damit man gestohlene wiederfindet. Vielleicht hat dir jemand so "
                + "einen Sender in die Tasche oder ins Auto gelegt. Diese Seite hilft dir, ihn zu finden.")
    }
    public var leave: String { text("Leave this page now", "Diese Seite sofort verlassen") }
    /// The target of the button for leaving in a hurry: a page that anybody may have open.
    public var elsewhere: String { text("https://en.wikipedia.org/", "https://de.wikipedia.org/") }
    public var leaveHint: String {
        text(
            "The page stays in your browser’s history. Delete it there, or read this on another person’s phone.",
            "Die Seite bleibt im Verlauf deines Browsers. Lösche sie dort, oder lies sie auf dem Handy von jemand anderem."
        )
    }
    public var danger: String {
        text(
            "Are you in danger now? Go where other people are, and call the police: 112 in Europe, 999 in the United "
                + "Kingdom, 911 in North America.",
            "Bist du jetzt in Gefahr? Geh dorthin, wo andere Menschen sind, und ruf die Polizei: 110 oder 112. Rat gibt das "
                + "Hilfetelefon Gewalt gegen Frauen, Tag und Nacht und kostenlos: 116 016.")
    }

    // Looking for it.
    public var looking: String { text("Look for it with a phone", "Suche ihn mit einem Handy") }
    public var warning: String {
        text(
            "iPhones and Android phones do not warn of these beacons, as they do of other trackers. So look yourself.",
            "Die Warnungen von iPhones und Android-Handys vor unbekannten Trackern bemerken diese Sender nicht. Such deshalb "
                + "selbst.")
    }
    public var android: String { text("With an Android phone", "Mit einem Android-Handy") }
    public var androidSteps: [String] {
        isGerman
            ? [
                "Installiere eine App, die Bluetooth-Sender zeigt, zum Beispiel „nRF Connect“. Schalte Bluetooth ein.",
                "Suche, und achte auf „iBeacon“. Notiere die drei Werte: UUID, Major und Minor.",
                "Geh 200 Meter weiter, dorthin, wo Menschen sind, und suche noch einmal. Was dann noch da ist, reist mit dir.",
                "Je stärker das Signal (näher an 0 dBm), desto näher ist der Sender. Prüfe Tasche, Jacke, Rad und Auto einzeln.",
            ]
            : [
                "Install an app that shows Bluetooth beacons, for example “nRF Connect”. Turn Bluetooth on.",
                "Scan, and look for “iBeacon”. Note its three values: UUID, major and minor.",
                "Walk 200 metres to a place where people are, and scan again. What is still there travels with you.",
                "The stronger the signal (nearer to 0 dBm), the nearer the beacon. Test bag, coat, bike and car one by one.",
            ]
    }
    public var iPhone: String { text("With an iPhone", "Mit einem iPhone") }
    public var iPhoneSteps: [String] {
        isGerman
            ? [
                "Ein iPhone zeigt einen iBeacon nur Apps, die seine UUID kennen. Besser geht es mit dem Android-Handy von jemandem, dem du vertraust.",
                "Sonst installiere eine App für iBeacons, in die man eine UUID eingeben kann, und gib die UUID von unten ein.",
                "Geh 200 Meter weiter, dorthin, wo Menschen sind, und sieh noch einmal nach. Sender mit einer anderen UUID findest du so nicht.",
            ]
            : [
                "An iPhone shows an iBeacon only to apps that know its UUID. An Android phone of somebody whom you trust is better.",
                "Otherwise install an app for iBeacons into which you can type a UUID, and enter the one below.",
                "Walk 200 metres to a place where people are, and look again. You do not find beacons with another UUID in this way.",
            ]
    }
    public var looks: String { text("What these beacons look like", "Wie diese Sender aussehen") }
    public var looksText: String {
        text(
            "Most are as large as a coin or a matchbox, of plastic, with a round battery. They make no sound. They do not "
                + "know where they are, and have no mobile network: a place is known only where one of this registry’s stations hears them, "
                + "and only while the owner has reported a bike as missing. Most of them send this UUID:",
            "Die meisten sind so groß wie eine Münze oder eine Streichholzschachtel, aus Kunststoff, mit einer Knopfzelle. Sie "
                + "machen kein Geräusch. Sie kennen keinen Ort und haben kein Mobilfunknetz: Ein Ort wird nur bekannt, wo eine "
                + "Station dieses Registers sie hört, und nur solange der Besitzer ein Zweirad als vermisst gemeldet hat. Die "
                + "meisten senden diese UUID:")
    }
    public var rotating: String {
        text(
            "Some change all their values every 17 minutes. Then you see a new iBeacon each time, of about the same strength.",
            "Manche wechseln alle 17 Minuten sämtliche Werte. Dann siehst du jedes Mal einen neuen iBeacon, etwa gleich stark."
        )
    }
    public var off: String { text("Switch it off", "Schalte ihn aus") }
    public var offSteps: [String] {
        isGerman
            ? [
                "Fotografiere ihn, wo er liegt, und notiere Ort und Zeit. Das kann ein Beweis sein.",
                "Überlege, ob du in Gefahr kommst, wenn jemand merkt, dass der Sender aus ist. Sprich im Zweifel zuerst mit der Polizei oder einer Beratungsstelle.",
                "Öffne das Gehäuse mit einer Münze oder einem Fingernagel, und nimm die Batterie heraus. Bewahre beides auf.",
                "Lässt er sich nicht öffnen, wickle ihn in mehrere Lagen Alufolie, und lass ihn nicht bei dir.",
            ]
            : [
                "Take a photo where it lies, and note place and time. It can be evidence.",
                "Could it put you in danger if somebody notices that it has stopped? If in doubt, first talk to the police or to an advice centre.",
                "Open the case with a coin or a fingernail, and take the battery out. Keep both.",
                "If it cannot be opened, wrap it in several layers of aluminium foil, and do not keep it with you.",
            ]
    }

    // The look-up.
    public var lookUp: String { text("Does it belong to this registry?", "Gehört der Sender zu diesem Register?") }
    public var lookUpLead: String {
        text(
            "Enter what it sends. You need no account. It is not stored, and nobody learns that you asked.",
            "Gib ein, was er sendet. Du brauchst kein Konto. Es wird nicht gespeichert, und niemand erfährt, dass du gefragt "
                + "hast.")
    }
    public var ask: String { text("Look it up", "Nachsehen") }
    public var known: String { text("It belongs to this registry", "Dieser Sender gehört zu diesem Register") }
    public var knownText: String {
        text(
            "This registry has given these values to a beacon. This does not say whose it is, nor whether somebody follows "
                + "you with it. Write to the operator, who can look into it and stop it.",
            "Dieses Register hat diese Werte an einen Sender vergeben. Das sagt nicht, wem er gehört, und nicht, ob dich "
                + "jemand damit verfolgt. Schreibe dem Betreiber: Er kann nachsehen und ihn anhalten.")
    }
    public var unknown: String { text("We do not know these values", "Diese Werte kennen wir nicht") }
    public var unknownText: String {
        text(
            "No beacon of this registry always sends these values. This page cannot recognise beacons that change their "
                + "values. If you saw new values each time, or still feel followed, write to the operator, and to the police.",
            "Kein Sender dieses Registers sendet immer diese Werte. Sender, die ihre Werte wechseln, kann diese Seite nicht "
                + "erkennen. Wenn du jedes Mal neue Werte gesehen hast oder dich weiter verfolgt fühlst, schreibe dem "
                + "Betreiber, und geh zur Polizei.")
    }

    // Writing to the operator.
    public var what: String {
        text("What the beacon sends, if you know it", "Was der Sender sendet, wenn du es weißt")
    }
    /// Who answers; nil if the operator has not said so.
    public func runner(_ name: String) -> String { text("The operator is \(name).", "Der Betreiber ist \(name).") }
    public var write: String { text("Write to the operator", "Dem Betreiber schreiben") }
    public var writeLead: String {
        text(
            "When and where was it with you? The operator should answer within a day, and can stop searches for this beacon. "
                + "Only the operator reads this; the owner of a beacon does not learn who wrote.",
            "Wann und wo war er bei dir? Der Betreiber soll binnen eines Tages antworten und kann die Suche nach diesem Sender "
                + "anhalten. Nur der Betreiber liest das; der Besitzer eines Senders erfährt nicht, wer geschrieben hat."
        )
    }
    public var messageHint: String {
        text(
            "At most 500 characters. If the operator should reach you in another way, say how, and when it is safe.",
            "Höchstens 500 Zeichen. Soll der Betreiber dich anders erreichen, schreibe, wie, und wann es sicher ist.")
    }
    public var keeping: String {
        text(
            "Your message is deleted 30 days after the answer, and after 90 days without one.",
            "Deine Nachricht wird 30 Tage nach der Antwort gelöscht. Ohne Antwort nach 90 Tagen.")
    }
    public var police: String {
        text(
            "The police can ask the operator whose beacon it is. "
                + "Give them what it sends, and when you found it.",
            "Die Polizei kann den Betreiber fragen, wessen Sender es ist. Gib ihr dafür, was er sendet und wann du ihn gefunden "
                + "hast.")
    }

    // After sending.
    public var sent: String { text("Sent to the operator", "An den Betreiber gesendet") }
    public var closed: String { text("The operator has closed this", "Der Betreiber hat das abgeschlossen") }
    public var sentText: String {
        text(
            "The answer appears only on this page, which should be within a day. Keep the address of this page where nobody "
                + "else looks, and look again tomorrow.",
            "Die Antwort erscheint nur auf dieser Seite, und zwar möglichst binnen eines Tages. Bewahre die Adresse dieser Seite "
                + "dort auf, wo sonst niemand nachsieht, und sieh morgen wieder nach.")
    }
    public var yours: String { text("Your message", "Deine Nachricht") }
    public var answer: String { text("The operator’s answer", "Antwort des Betreibers") }
    public var noAnswer: String {
        text("There is no answer. You can write again.", "Es gibt keine Antwort. Du kannst noch einmal schreiben.")
    }
    public var back: String { text("Back to the first page", "Zurück zur ersten Seite") }

    // What went wrong.
    public var full: String {
        text(
            "Too many messages came from your network today. Turn Wi-Fi off and write again, or write from another network; or "
                + "go to the police.",
            "Aus deinem Netz kamen heute zu viele Nachrichten. Schalte das WLAN aus und schreibe noch einmal, oder schreibe aus "
                + "einem anderen Netz; oder geh zur Polizei."
        )
    }
    public func tooMany(_ seconds: Int) -> String {
        let wait = FinderTexts(language).wait(seconds)
        return text(
            "Too many requests came from your network. Turn Wi-Fi off, or try again in \(wait).",
            "Aus deinem Netz kamen zu viele Anfragen. Schalte das WLAN aus, oder versuche es in \(wait) wieder.")
    }
    public var failed: String {
        text(
            "That did not work, and nothing was stored. Please go back and try again in a few minutes.",
            "Das hat nicht geklappt, und nichts wurde gespeichert. Bitte geh zurück und versuche es in einigen Minuten wieder."
        )
    }
}
