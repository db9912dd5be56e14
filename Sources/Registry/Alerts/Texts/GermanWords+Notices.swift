import RegistryAPI

extension GermanWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "Ein neues Token wurde erstellt"
        case .recoveryUsed: "Ein Wiederherstellungscode wurde benutzt"
        case .ownerChanged: "Ihr Konto wurde geändert"
        case .channelRemoved: "Ein Meldeweg wurde entfernt"
        case .channelChanged: "Ein Meldeweg wurde geändert"
        case .channelGone: "Ein Meldeweg funktioniert nicht mehr"
        case .channelTest: "Probe Ihrer Meldungen"
        case .channelVerification: "Möchten Sie Meldungen an diese Adresse?"
        case .reportClosed: "Eine Vermisstmeldung wurde geschlossen"
        case .reportExpiring: "Eine Vermisstmeldung läuft bald ab"
        case .reportExpired: "Eine Vermisstmeldung ist abgelaufen"
        case .reportSuspended: "Einer Vermisstmeldung fehlt das Aktenzeichen der Polizei"
        case .reportQuiet: "Ist Ihr Zweirad wieder da?"
        case .bikeTransferred: "Ein Zweirad wurde übergeben"
        case .beaconFound: "Jemand hat den Sender Ihres Zweirads gefunden"
        case .inspectionDue: "Eine Hauptuntersuchung ist fällig"
        case .insuranceEnding: "Eine Versicherung läuft bald ab"
        case .taxDue: "Eine Steuer ist fällig"
        case .breakdownCoverEnding: "Ein Pannenschutz läuft bald ab"
        case .batteryAging: "Ein Sender braucht eine neue Batterie"
        }
    }

    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String {
        let (your, ofYour) = (your(bike), ofYour(bike))
        let subject = notice.subject.map { " „\($0)“" } ?? ""
        let day = notice.date.map { "am \(date($0))" } ?? "bald"
        let since = notice.date.map { "seit dem \(date($0))" } ?? "seit Langem"
        return switch notice.event {
        case .tokenCreated: "Für Ihr Konto wurde ein neues Token\(subject) erstellt."
        case .recoveryUsed:
            "Mit einem Wiederherstellungscode Ihres Kontos wurde ein neues Token\(subject) erstellt."
        case .ownerChanged: "Es wurde geändert, wie und wann die Meldungen Ihres Kontos kommen."
        case .channelRemoved: "Ein Meldeweg\(subject) Ihres Kontos wurde entfernt."
        case .channelChanged: "Ein Meldeweg\(subject) Ihres Kontos führt jetzt woandershin."
        case .channelGone: "Ein Meldeweg\(subject) Ihres Kontos wurde entfernt: Dort kommt nichts mehr an."
        case .channelTest: "Dies ist eine Probe eines Meldewegs\(subject) Ihres Kontos."
        case .channelVerification:
            "Jemand möchte, dass Meldungen zu einem vermissten Zweirad an diese Adresse geschickt werden."
        case .reportClosed: "Die Vermisstmeldung \(ofYour) wurde geschlossen\(subject)."
        case .reportExpiring: "Die Vermisstmeldung \(ofYour) läuft \(day) ab."
        case .reportExpired: "Die Vermisstmeldung \(ofYour) ist nach langer Zeit abgelaufen."
        case .reportSuspended:
            "\(your) wird nicht mehr gesucht: Der Vermisstmeldung fehlt das Aktenzeichen der Polizei."
        case .reportQuiet: "\(your) wird noch vermisst, wurde aber \(since) nicht mehr gehört."
        case .bikeTransferred: "\(your) wurde einer anderen Person übergeben."
        case .beaconFound: "Jemand sagt, dass der Sender \(ofYour) zu hören ist\(subject)."
        case .inspectionDue: "Die Hauptuntersuchung \(ofYour) ist \(day) fällig."
        case .insuranceEnding: "Die Versicherung \(ofYour) läuft \(day) ab."
        case .taxDue: "Die Steuer \(ofYour) ist \(day) fällig."
        case .breakdownCoverEnding:
            "Der Pannenschutz \(ofYour) läuft \(day) ab"
                + (notice.subject.map { "; seine Nummer ist \($0)." } ?? ".")
        case .batteryAging: "Die Batterie im Sender \(ofYour) ist ihrem Alter nach \(day) womöglich leer."
        }
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .recoveryUsed, .ownerChanged, .channelRemoved, .channelChanged, .reportClosed,
            .bikeTransferred:
            "Falls Sie das nicht waren, hat jemand Ihr Token: Erstellen Sie mit einem Wiederherstellungscode ein neues "
                + "und widerrufen Sie die anderen."
        case .channelGone: "Richten Sie einen anderen Meldeweg ein, damit Meldungen Sie weiterhin erreichen."
        case .channelTest: "Es ist nichts zu tun."
        case .channelVerification: "Falls Sie das nicht waren, tun Sie nichts: Es kommt keine weitere Nachricht."
        case .reportExpiring, .reportExpired:
            "Erstellen Sie eine neue Vermisstmeldung, falls das Zweirad noch vermisst wird."
        case .reportSuspended:
            "Zeigen Sie den Diebstahl bei der Polizei an und tragen Sie das Aktenzeichen in die Vermisstmeldung ein; "
                + "dann geht die Suche weiter."
        case .reportQuiet:
            "Falls es wieder da ist, schließen Sie die Vermisstmeldung; bis dahin hören alle Stationen weiter danach."
        case .beaconFound:
            "Das sind Worte eines Fremden, die niemand geprüft hat: Öffnen Sie keinen Link, zahlen Sie nichts, treffen "
                + "Sie sich mit niemandem allein. Verständigen Sie die Polizei."
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding:
            "Tragen Sie danach den nächsten Termin beim Zweirad ein, dann werden Sie wieder rechtzeitig erinnert."
        case .batteryAging:
            "Wechseln Sie sie und tragen Sie den Tag beim Zweirad ein: Ein Sender mit leerer Batterie wird nie gehört."
        }
    }
}
