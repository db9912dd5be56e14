import RegistryAPI

extension GermanWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "Ein neues Token wurde erstellt"
        case .tokenRevoked: "Ein Token wurde widerrufen"
        case .recoveryUsed: "Ein Wiederherstellungscode wurde benutzt"
        case .recoveryReplaced: "Ihre Wiederherstellungscodes wurden ersetzt"
        case .sessionCreated: "Jemand hat sich in Ihrem Konto angemeldet"
        case .sessionRevoked: "Ein Browser wurde abgemeldet"
        case .passkeyAdded: "Ein Passkey wurde hinzugefügt"
        case .passkeyRemoved: "Ein Passkey wurde entfernt"
        case .passkeyCopied: "Vielleicht hat jemand eine Kopie Ihres Passkeys"
        case .shareCreated: "Ein Link zu einer Suche wurde erstellt"
        case .shareRevoked: "Ein Link zu einer Suche wurde widerrufen"
        case .ownerChanged: "Ihr Konto wurde geändert"
        case .channelRemoved: "Ein Meldeweg wurde entfernt"
        case .channelChanged: "Ein Meldeweg wurde geändert"
        case .channelGone: "Ein Meldeweg funktioniert nicht mehr"
        case .channelTest: "Probe Ihrer Meldungen"
        case .channelVerification: "Möchten Sie Meldungen an diese Adresse?"
        case .reportOpened: "Ein Zweirad wurde als vermisst gemeldet"
        case .reportClosed: "Eine Vermisstmeldung wurde geschlossen"
        case .reportChanged: "Eine Vermisstmeldung wurde geändert"
        case .sightingDismissed: "Eine Sichtung wurde verworfen"
        case .reportExpiring: "Eine Vermisstmeldung läuft bald ab"
        case .reportExpired: "Eine Vermisstmeldung ist abgelaufen"
        case .reportSuspended: "Einer Vermisstmeldung fehlt das Aktenzeichen der Polizei"
        case .reportUnconfirmed: "Ein Aktenzeichen wurde nicht bestätigt"
        case .referenceNeeded: "Eine Suche endet bald: Tragen Sie das Aktenzeichen ein"
        case .confirmationNeeded: "Eine Suche endet bald: Lassen Sie das Aktenzeichen bestätigen"
        case .referenceConfirmed: "Ihr Aktenzeichen ist bestätigt"
        case .referenceWithdrawn: "Ihr Aktenzeichen ist nicht mehr bestätigt"
        case .searchStopped: "Der Betreiber hat eine Suche beendet"
        case .searchAllowed: "Der Betreiber erlaubt eine Suche wieder"
        case .beaconProved: "Ihr Sender wurde gehört: Er gehört Ihnen"
        case .claimAccepted: "Der Betreiber hat Ihren Sender anerkannt"
        case .claimRefused: "Der Betreiber hat Ihren Sender nicht anerkannt"
        case .ownerSuspended: "Der Betreiber hat Ihr Konto gesperrt"
        case .ownerResumed: "Ihr Konto ist nicht mehr gesperrt"
        case .reportQuiet: "Ist Ihr Zweirad wieder da?"
        case .memberInvited: "Jemand wurde zu Ihrem Zweirad eingeladen"
        case .memberJoined: "Ihr Zweirad hat ein neues Mitglied"
        case .memberChanged: "Ein Mitglied Ihres Zweirads hat eine andere Rolle"
        case .memberRemoved: "Ein Mitglied Ihres Zweirads wurde entfernt"
        case .membershipEnded: "Ein Zweirad wird nicht mehr mit Ihnen geteilt"
        case .bikeTransferred: "Ein Zweirad wurde übergeben"
        case .bikeErased: "Ein Zweirad wurde gelöscht"
        case .bikeChanged: "Angaben zu einem vermissten Zweirad wurden geändert"
        case .beaconChanged: "Ein Zweirad hat jetzt einen anderen Sender"
        case .beaconClockMoved: "Die Uhr eines Senders geht anders als bisher"
        case .beaconFound: "Jemand hat den Sender Ihres Zweirads gefunden"
        case .messageReceived: "Jemand hat Ihnen zu einem Zweirad geschrieben"
        case .stickerChanged: "Der Code auf einem Aufkleber gilt nicht mehr"
        case .conversationEnded: "Ein Gespräch zu einem vermissten Zweirad wurde beendet"
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
        case .tokenRevoked: "Ein Token\(subject) Ihres Kontos wurde widerrufen."
        case .recoveryReplaced: "Alle Wiederherstellungscodes Ihres Kontos wurden durch neue ersetzt."
        case .recoveryUsed:
            "Mit einem Wiederherstellungscode Ihres Kontos wurde ein Token erstellt oder ein Browser "
                + "angemeldet\(subject)."
        case .sessionCreated: "Jemand hat sich in einem Browser\(subject) in Ihrem Konto angemeldet."
        case .sessionRevoked: "Ein Browser\(subject) wurde von Ihrem Konto abgemeldet."
        case .passkeyAdded: "Ihrem Konto wurde ein Passkey\(subject) hinzugefügt."
        case .passkeyRemoved:
            "Ein Passkey\(subject) Ihres Kontos wurde entfernt, und die damit angemeldeten Browser wurden abgemeldet."
        case .passkeyCopied:
            "Ihr Passkey\(subject) wurde abgelehnt: Sein Zähler ist nicht gewachsen, vielleicht gibt es eine Kopie."
        case .shareCreated:
            "Ein Link\(subject) zur Suche nach \(your) wurde erstellt. Wer ihn hat, sieht, wo Stationen das Zweirad "
                + "hören."
        case .shareRevoked: "Ein Link\(subject) zur Suche nach \(your) gilt nicht mehr."
        case .ownerChanged:
            "Es wurde geändert, wie und wann die Meldungen Ihres Kontos kommen oder was Stationen über Ihr vermisstes "
                + "Zweirad erfahren."
        case .channelRemoved: "Ein Meldeweg\(subject) Ihres Kontos wurde entfernt."
        case .channelChanged: "Ein Meldeweg\(subject) Ihres Kontos führt jetzt woandershin."
        case .channelGone: "Ein Meldeweg\(subject) Ihres Kontos wurde entfernt: Dort kommt nichts mehr an."
        case .channelTest: "Dies ist eine Probe eines Meldewegs\(subject) Ihres Kontos."
        case .channelVerification:
            "Jemand möchte, dass Meldungen zu einem vermissten Zweirad an diese Adresse geschickt werden."
        case .reportOpened: "\(your) wurde als vermisst gemeldet."
        case .reportClosed: "Die Vermisstmeldung \(ofYour) wurde geschlossen\(subject)."
        case .reportChanged:
            "In der Vermisstmeldung \(ofYour) wurde das Aktenzeichen der Polizei oder die Frist geändert, bis zu der "
                + "Sichtungen aufbewahrt werden."
        case .sightingDismissed:
            "Sichtungen \(ofYour) wurden als falsch verworfen; dazu kommt keine Meldung. Sie stehen markiert im "
                + "Verlauf."
        case .reportExpiring: "Die Vermisstmeldung \(ofYour) läuft \(day) ab."
        case .reportExpired: "Die Vermisstmeldung \(ofYour) ist nach langer Zeit abgelaufen."
        case .reportSuspended:
            "\(your) wird nicht mehr gesucht: Der Vermisstmeldung fehlt das Aktenzeichen der Polizei."
        case .reportUnconfirmed:
            "\(your) wird nicht mehr gesucht: Kein Betreiber hat das Aktenzeichen der Polizei\(subject) bestätigt."
        case .referenceNeeded:
            "Die Suche nach \(your) endet \(day): Der Vermisstmeldung fehlt das Aktenzeichen der Polizei."
        case .confirmationNeeded:
            "Die Suche nach \(your) endet \(day): Kein Betreiber hat das Aktenzeichen der Polizei\(subject) bestätigt."
        case .referenceConfirmed:
            "Der Betreiber hat das Aktenzeichen\(subject) \(ofYour) bestätigt: Die Suche geht weiter."
        case .referenceWithdrawn: "Der Betreiber bestätigt das Aktenzeichen\(subject) \(ofYour) nicht mehr."
        case .searchStopped:
            "\(your) steht nicht mehr auf der Liste der Vermissten: Der Betreiber hat die Suche "
                + "beendet\(reason(notice))."
        case .searchAllowed: "\(your) darf wieder gesucht werden."
        case .beaconProved:
            "Eine Station hat den Sender \(ofYour) bei der Probe gehört. Sie können das Zweirad jetzt als vermisst "
                + "melden."
        case .claimAccepted:
            "Der Betreiber hat den Sender \(ofYour) so anerkannt, wie Sie ihn angegeben haben. Sie können das Zweirad "
                + "jetzt als vermisst melden."
        case .claimRefused:
            "Der Betreiber hat den Sender \(ofYour) nicht so anerkannt, wie Sie ihn angegeben haben\(reason(notice))."
        case .ownerSuspended:
            "Der Betreiber hat Ihr Konto gesperrt\(reason(notice)). Keines Ihrer Zweiräder wird gesucht."
        case .ownerResumed: "Der Betreiber hat die Sperre Ihres Kontos aufgehoben."
        case .reportQuiet: "\(your) wird noch vermisst, wurde aber \(since) nicht mehr gehört."
        case .memberInvited:
            "Zum Teilen \(ofYour) wurde eine Einladung\(subject) erstellt. Wer ihren Link hat, kann Mitglied werden."
        case .memberJoined: "Jemand hat die Einladung\(subject) zum Teilen \(ofYour) angenommen und ist jetzt Mitglied."
        case .memberChanged: "Die Rolle des Mitglieds\(subject) \(ofYour) wurde geändert."
        case .memberRemoved: "\(notice.subject.map { "„\($0)“" } ?? "Jemand") ist kein Mitglied \(ofYour) mehr."
        case .membershipEnded: "\(your) wird nicht mehr mit Ihnen geteilt. Sie bekommen dazu keine Meldungen mehr."
        case .bikeTransferred: "\(your) wurde einer anderen Person übergeben."
        case .bikeErased: "\(your) wurde gelöscht: Niemand kann mehr danach suchen."
        case .bikeChanged:
            "Beschreibung oder Fotos \(ofYour) wurden geändert, während es vermisst wird, oder ob Käufer die Nummer prüfen "
                + "können."
        case .beaconChanged: "\(your) wird jetzt an einem anderen Sender erkannt."
        case .beaconClockMoved:
            "Eine Prüfung hat ergeben, dass die Uhr des Senders \(ofYour) anders geht als bisher, wie nach einer Zeit ohne "
                + "Strom. Gesucht wird ab jetzt nach der neuen Uhrzeit."
        case .beaconFound: "Jemand sagt, dass der Sender \(ofYour) zu hören ist\(subject)."
        case .messageReceived:
            "Jemand, der \(your) gefunden haben will oder dem es angeboten wurde, hat Ihnen geschrieben."
        case .stickerChanged:
            "Der Code auf dem Aufkleber \(ofYour) wurde ersetzt oder widerrufen: Der bisherige gilt nicht mehr."
        case .conversationEnded: "Ein Gespräch wegen \(ofYour), das vermisst wird, wurde beendet."
        case .inspectionDue: "Die Hauptuntersuchung \(ofYour) ist \(day) fällig."
        case .insuranceEnding: "Die Versicherung \(ofYour) läuft \(day) ab."
        case .taxDue: "Die Steuer \(ofYour) ist \(day) fällig."
        case .breakdownCoverEnding:
            "Der Pannenschutz \(ofYour) läuft \(day) ab"
                + (notice.subject.map { "; seine Nummer ist \($0)." } ?? ".")
        case .batteryAging: "Die Batterie im Sender \(ofYour) ist ihrem Alter nach \(day) womöglich leer."
        }
    }

    private func reason(_ notice: OwnerNotice) -> String { notice.subject.map { " (Grund: „\($0)“)" } ?? "" }

    func member(_ label: String) -> String { "Das war „\(label)“, mit dem oder der Sie das Zweirad teilen." }

    var memberAdvice: String {
        "Falls Sie das nicht erwartet haben, fragen Sie nach, oder entfernen Sie diese Person aus den Mitgliedern."
    }

    var sharedAdvice: String { "Das Zweirad gehört jemand anderem. Bei Fragen wenden Sie sich an diese Person." }

    func others(_ count: Int) -> String {
        count == 1
            ? "Das geschah in den Stunden davor noch einmal." : "Das geschah in den Stunden davor noch \(count)-mal."
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .reportClosed, .reportChanged, .sightingDismissed, .bikeTransferred, .bikeErased,
            .bikeChanged, .beaconChanged, .beaconClockMoved:
            "Falls Sie das nicht waren, hat jemand Ihr Token: Erstellen Sie mit einem Wiederherstellungscode ein neues "
                + "und widerrufen Sie die anderen."
        case .sessionCreated, .sessionRevoked, .passkeyAdded, .passkeyRemoved:
            "Falls Sie das nicht waren, melden Sie sich mit einem Wiederherstellungscode an, entfernen Sie fremde "
                + "Passkeys, melden Sie die anderen Browser ab und widerrufen Sie Ihre Token."
        case .shareCreated:
            "Falls Sie das nicht waren, hat jemand Ihr Telefon oder Ihr Token: Widerrufen Sie den Link, melden Sie die "
                + "anderen Browser ab und widerrufen Sie Ihre Token."
        case .shareRevoked:
            "Falls Sie das nicht waren, hat jemand Ihr Telefon oder Ihr Token. Erstellen Sie bei Bedarf einen neuen "
                + "Link."
        case .passkeyCopied:
            "Melden Sie sich mit einem Wiederherstellungscode an, entfernen Sie diesen Passkey und fügen Sie einen "
                + "neuen hinzu."
        case .reportOpened: "Falls das nicht mit Ihnen abgesprochen war, schließen Sie die Vermisstmeldung."
        case .memberInvited, .memberJoined, .memberChanged, .memberRemoved:
            "Falls Sie das nicht erwartet haben, entfernen Sie Mitglieder und Einladungen, die Sie nicht kennen, "
                + "melden Sie fremde Browser ab und widerrufen Sie fremde Token."
        case .membershipEnded: sharedAdvice
        case .channelGone: "Richten Sie einen anderen Meldeweg ein, damit Meldungen Sie weiterhin erreichen."
        case .channelTest: "Es ist nichts zu tun."
        case .channelVerification: "Falls Sie das nicht waren, tun Sie nichts: Es kommt keine weitere Nachricht."
        case .reportExpiring, .reportExpired:
            "Erstellen Sie eine neue Vermisstmeldung, falls das Zweirad noch vermisst wird."
        case .reportSuspended:
            "Zeigen Sie den Diebstahl bei der Polizei an und tragen Sie das Aktenzeichen in die Vermisstmeldung ein; "
                + "dann geht die Suche weiter."
        case .reportUnconfirmed, .confirmationNeeded, .referenceWithdrawn:
            "Schicken Sie dem Betreiber die Kennung Ihrer Vermisstmeldung und einen Beleg, etwa das Schreiben der "
                + "Polizei, und bitten Sie ihn, das Aktenzeichen zu bestätigen."
        case .referenceNeeded:
            "Zeigen Sie den Diebstahl bei der Polizei an und tragen Sie das Aktenzeichen vorher in die Vermisstmeldung "
                + "ein."
        case .beaconProved:
            "Lassen Sie den Sender so eingestellt, wie er jetzt ist. Falls Sie das nicht waren, hat jemand Ihr Token."
        case .claimAccepted:
            "Der Sender muss die Werte senden, die er bei der Anmeldung hatte: Falls Sie sie geändert haben, stellen "
                + "Sie sie zurück."
        case .claimRefused:
            "Stellen Sie den Sender auf die Werte ein, die zum Zweirad angezeigt werden, und machen Sie die Probe an "
                + "einer Station."
        case .referenceConfirmed, .searchAllowed, .ownerResumed: "Es ist nichts zu tun."
        case .searchStopped, .ownerSuspended:
            "Falls Sie das für einen Irrtum halten, schreiben Sie dem Betreiber."
        case .reportQuiet:
            "Falls es wieder da ist, schließen Sie die Vermisstmeldung; bis dahin hören alle Stationen weiter danach."
        case .beaconFound:
            "Das sind Worte eines Fremden, die niemand geprüft hat: Öffnen Sie keinen Link, zahlen Sie nichts, treffen "
                + "Sie sich mit niemandem allein. Verständigen Sie die Polizei."
        case .messageReceived:
            "Lesen Sie die Nachricht auf der Seite des Zweirads oder mit ‚findmybike message list‘. Niemand hat sie geprüft: "
                + "Öffnen Sie keinen Link, zahlen Sie nichts, treffen Sie sich mit niemandem allein."
        case .stickerChanged:
            "Gibt es einen neuen Code, bringen Sie ihn am Zweirad an. Falls Sie das nicht waren, hat jemand Ihr Telefon oder Ihr Token: "
                + "Erstellen Sie einen neuen Code, melden Sie die anderen Browser ab und widerrufen Sie Ihre Token."
        case .conversationEnded:
            "Falls Sie das nicht waren, hat jemand Ihr Telefon oder Ihr Token. Die Nachrichten bleiben 30 Tage lesbar."
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding:
            "Tragen Sie danach den nächsten Termin beim Zweirad ein, dann werden Sie wieder rechtzeitig erinnert."
        case .batteryAging:
            "Wechseln Sie sie und tragen Sie den Tag beim Zweirad ein: Ein Sender mit leerer Batterie wird nie gehört."
        }
    }
}
