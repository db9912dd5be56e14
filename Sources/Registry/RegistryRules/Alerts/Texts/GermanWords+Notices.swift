import RegistryAPI

extension GermanWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "Ein neues Token wurde erstellt"
        case .tokenRevoked: "Ein Token wurde widerrufen"
        case .recoveryUsed: "Ein Wiederherstellungscode wurde benutzt"
        case .recoveryReplaced: "Deine Wiederherstellungscodes wurden ersetzt"
        case .sessionCreated: "Jemand hat sich in deinem Konto angemeldet"
        case .sessionRevoked: "Ein Browser wurde abgemeldet"
        case .passkeyAdded: "Ein Passkey wurde hinzugefügt"
        case .passkeyRemoved: "Ein Passkey wurde entfernt"
        case .passkeyCopied: "Vielleicht hat jemand eine Kopie deines Passkeys"
        case .shareCreated: "Ein Link zu einer Suche wurde erstellt"
        case .shareRevoked: "Ein Link zu einer Suche wurde widerrufen"
        case .ownerChanged: "Dein Konto wurde geändert"
        case .channelRemoved: "Ein Meldeweg wurde entfernt"
        case .channelChanged: "Ein Meldeweg wurde geändert"
        case .channelGone: "Ein Meldeweg funktioniert nicht mehr"
        case .channelTest: "Probe deiner Meldungen"
        case .channelVerification: "Möchtest du Meldungen an diese Adresse?"
        case .reportOpened: "Ein Zweirad wurde als vermisst gemeldet"
        case .reportClosed: "Eine Vermisstmeldung wurde geschlossen"
        case .reportChanged: "Eine Vermisstmeldung wurde geändert"
        case .sightingDismissed: "Eine Sichtung wurde verworfen"
        case .reportExpiring: "Eine Vermisstmeldung läuft bald ab"
        case .reportExpired: "Eine Vermisstmeldung ist abgelaufen"
        case .reportSuspended: "Einer Vermisstmeldung fehlt das Aktenzeichen der Polizei"
        case .reportUnconfirmed: "Ein Aktenzeichen wurde nicht bestätigt"
        case .referenceNeeded: "Eine Suche endet bald: Trage das Aktenzeichen ein"
        case .confirmationNeeded: "Eine Suche endet bald: Lass das Aktenzeichen bestätigen"
        case .referenceConfirmed: "Dein Aktenzeichen ist bestätigt"
        case .referenceWithdrawn: "Dein Aktenzeichen ist nicht mehr bestätigt"
        case .searchStopped: "Der Betreiber hat eine Suche beendet"
        case .searchAllowed: "Der Betreiber erlaubt eine Suche wieder"
        case .objectionAnswered: "Der Betreiber hat auf deinen Einspruch geantwortet"
        case .beaconProved: "Dein Sender wurde gehört: Er gehört dir"
        case .claimAccepted: "Der Betreiber hat deinen Sender anerkannt"
        case .claimRefused: "Der Betreiber hat deinen Sender nicht anerkannt"
        case .ownerSuspended: "Der Betreiber hat dein Konto gesperrt"
        case .ownerResumed: "Dein Konto ist nicht mehr gesperrt"
        case .ownerVerified: "Der Betreiber hat dein Konto geprüft"
        case .ownerUnverified: "Dein Konto gilt nicht mehr als geprüft"
        case .reportQuiet: "Ist dein Zweirad wieder da?"
        case .memberInvited: "Jemand wurde zu deinem Zweirad eingeladen"
        case .memberJoined: "Dein Zweirad hat ein neues Mitglied"
        case .memberChanged: "Ein Mitglied deines Zweirads hat eine andere Rolle"
        case .memberRemoved: "Ein Mitglied deines Zweirads wurde entfernt"
        case .membershipEnded: "Ein Zweirad wird nicht mehr mit dir geteilt"
        case .bikeTransferred: "Ein Zweirad wurde übergeben"
        case .bikeErased: "Ein Zweirad wurde gelöscht"
        case .bikeChanged: "Angaben zu einem vermissten Zweirad wurden geändert"
        case .beaconChanged: "Ein Zweirad hat jetzt einen anderen Sender"
        case .beaconClockMoved: "Die Uhr eines Senders geht anders als bisher"
        case .beaconFound: "Jemand hat den Sender deines Zweirads gefunden"
        case .messageReceived: "Jemand hat dir zu einem Zweirad geschrieben"
        case .stickerChanged: "Der Code auf einem Aufkleber gilt nicht mehr"
        case .conversationEnded: "Ein Gespräch zu einem vermissten Zweirad wurde beendet oder sein Finder gesperrt"
        case .inspectionDue: "Eine Hauptuntersuchung ist fällig"
        case .insuranceEnding: "Eine Versicherung läuft bald ab"
        case .taxDue: "Eine Steuer ist fällig"
        case .breakdownCoverEnding: "Ein Pannenschutz läuft bald ab"
        case .batteryAging: "Ein Sender braucht eine neue Batterie"
        }
    }

    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String {
        let (your, ofYour, toYour) = (your(bike), ofYour(bike), toYour(bike))
        let subject = notice.subject.map { " „\($0)“" } ?? ""
        let day = notice.date.map { "am \(date($0))" } ?? "bald"
        let since = notice.date.map { "seit dem \(date($0))" } ?? "seit Langem"
        return switch notice.event {
        case .tokenCreated: "Für dein Konto wurde ein neues Token\(subject) erstellt."
        case .tokenRevoked: "Ein Token\(subject) deines Kontos wurde widerrufen."
        case .recoveryReplaced: "Alle Wiederherstellungscodes deines Kontos wurden durch neue ersetzt."
        case .recoveryUsed:
            "Mit einem Wiederherstellungscode deines Kontos wurde ein Token erstellt oder ein Browser "
                + "angemeldet\(subject)."
        case .sessionCreated: "Jemand hat sich in einem Browser\(subject) in deinem Konto angemeldet."
        case .sessionRevoked: "Ein Browser\(subject) wurde von deinem Konto abgemeldet."
        case .passkeyAdded: "Deinem Konto wurde ein Passkey\(subject) hinzugefügt."
        case .passkeyRemoved:
            "Ein Passkey\(subject) deines Kontos wurde entfernt, und die damit angemeldeten Browser wurden abgemeldet."
        case .passkeyCopied:
            "Dein Passkey\(subject) wurde abgelehnt: Sein Zähler ist nicht gewachsen, vielleicht gibt es eine Kopie."
        case .shareCreated:
            "Ein Link\(subject) zur Suche nach \(toYour) wurde erstellt. Wer ihn hat, sieht, wo Stationen das Zweirad "
                + "hören."
        case .shareRevoked: "Ein Link\(subject) zur Suche nach \(toYour) gilt nicht mehr."
        case .ownerChanged:
            "Es wurde geändert, wie und wann die Meldungen deines Kontos kommen oder was Stationen über dein vermisstes "
                + "Zweirad erfahren."
        case .channelRemoved: "Ein Meldeweg\(subject) deines Kontos wurde entfernt."
        case .channelChanged: "Ein Meldeweg\(subject) deines Kontos führt jetzt woandershin."
        case .channelGone: "Ein Meldeweg\(subject) deines Kontos wurde entfernt: Dort kommt nichts mehr an."
        case .channelTest: "Dies ist eine Probe eines Meldewegs\(subject) deines Kontos."
        case .channelVerification:
            "Jemand möchte, dass Meldungen zu einem vermissten Zweirad an diese Adresse geschickt werden."
        case .reportOpened: "\(your) wurde als vermisst gemeldet."
        case .reportClosed: "Die Vermisstmeldung \(ofYour) wurde geschlossen\(subject)."
        case .reportChanged:
            "In der Vermisstmeldung \(ofYour) wurde das Aktenzeichen der Polizei oder die Frist geändert, bis zu der "
                + "Sichtungen aufbewahrt werden."
        case .sightingDismissed:
            "Sichtungen \(ofYour) wurden als falsch verworfen; dazu kommt keine Meldung. Im Verlauf sind sie "
                + "markiert."
        case .reportExpiring: "Die Vermisstmeldung \(ofYour) läuft \(day) ab."
        case .reportExpired: "Die Vermisstmeldung \(ofYour) ist nach langer Zeit abgelaufen."
        case .reportSuspended:
            "\(your) wird nicht mehr gesucht: Der Vermisstmeldung fehlt das Aktenzeichen der Polizei."
        case .reportUnconfirmed:
            "\(your) wird nicht mehr gesucht: Kein Betreiber hat das Aktenzeichen der Polizei\(subject) bestätigt."
        case .referenceNeeded:
            "Die Suche nach \(toYour) endet \(day): Der Vermisstmeldung fehlt das Aktenzeichen der Polizei."
        case .confirmationNeeded:
            "Die Suche nach \(toYour) endet \(day): Kein Betreiber hat das Aktenzeichen der Polizei\(subject) bestätigt."
        case .referenceConfirmed:
            "Der Betreiber hat das Aktenzeichen\(subject) \(ofYour) bestätigt: Die Suche geht weiter."
        case .referenceWithdrawn: "Der Betreiber bestätigt das Aktenzeichen\(subject) \(ofYour) nicht mehr."
        case .searchStopped:
            "\(your) steht nicht mehr auf der Liste der Vermissten: Der Betreiber hat die Suche "
                + "beendet\(reason(notice))."
        case .searchAllowed: "\(your) darf wieder gesucht werden."
        case .objectionAnswered:
            "\(your) wird weiter nicht gesucht. Der Betreiber hat auf deinen Einspruch geantwortet\(answer(notice))."
        case .beaconProved:
            "Eine Station hat den Sender \(ofYour) bei der Probe gehört. Du kannst das Zweirad jetzt als vermisst "
                + "melden."
        case .claimAccepted:
            "Der Betreiber hat den Sender \(ofYour) so anerkannt, wie du ihn angegeben hast. Du kannst das Zweirad "
                + "jetzt als vermisst melden."
        case .claimRefused:
            "Der Betreiber hat den Sender \(ofYour) nicht so anerkannt, wie du ihn angegeben hast\(reason(notice))."
        case .ownerSuspended:
            "Der Betreiber hat dein Konto gesperrt\(reason(notice)). Keines deiner Zweiräder wird gesucht."
        case .ownerResumed: "Der Betreiber hat die Sperre deines Kontos aufgehoben."
        case .ownerVerified: "Der Betreiber hat vermerkt, dass er weiß, wer du bist."
        case .ownerUnverified:
            "Der Betreiber hat den Vermerk zurückgenommen, dass er weiß, wer du bist. Laufende Suchen gehen weiter."
        case .reportQuiet: "\(your) wird noch vermisst, wurde aber \(since) nicht mehr gehört."
        case .memberInvited:
            "Zum Teilen \(ofYour) wurde eine Einladung\(subject) erstellt. Wer ihren Link hat, kann Mitglied werden."
        case .memberJoined: "Jemand hat die Einladung\(subject) zum Teilen \(ofYour) angenommen und ist jetzt Mitglied."
        case .memberChanged: "Die Rolle des Mitglieds\(subject) \(ofYour) wurde geändert."
        case .memberRemoved: "\(notice.subject.map { "„\($0)“" } ?? "Jemand") ist kein Mitglied \(ofYour) mehr."
        case .membershipEnded: "\(your) wird nicht mehr mit dir geteilt. Du bekommst dazu keine Meldungen mehr."
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
            "Jemand, der das Zweirad gefunden haben will oder dem es angeboten wurde, hat dir wegen \(ofYour) geschrieben."
        case .stickerChanged:
            "Der Code auf dem Aufkleber \(ofYour) wurde ersetzt oder widerrufen: Der bisherige gilt nicht mehr."
        case .conversationEnded:
            "Ein Gespräch wegen \(ofYour), das vermisst wird, wurde beendet, oder der Finder wurde gesperrt."
        case .inspectionDue: "Die Hauptuntersuchung \(ofYour) ist \(day) fällig."
        case .insuranceEnding: "Die Versicherung \(ofYour) läuft \(day) ab."
        case .taxDue: "Die Steuer \(ofYour) ist \(day) fällig."
        case .breakdownCoverEnding:
            "Der Pannenschutz \(ofYour) läuft \(day) ab"
                + (notice.subject.map { "; seine Nummer ist \($0)." } ?? ".")
        case .batteryAging: "Die Batterie im Sender \(ofYour) ist ihrem Alter nach \(day) womöglich leer."
        }
    }

    private func answer(_ notice: OwnerNotice) -> String { notice.subject.map { ": „\($0)“" } ?? "" }

    private func reason(_ notice: OwnerNotice) -> String { notice.subject.map { " (Grund: „\($0)“)" } ?? "" }

    func member(_ label: String) -> String { "Das war „\(label)“, mit dem oder der du das Zweirad teilst." }

    var memberAdvice: String {
        "Falls du das nicht erwartet hast, frag nach, oder entferne diese Person aus den Mitgliedern."
    }

    var sharedAdvice: String { "Das Zweirad gehört jemand anderem. Bei Fragen wende dich an diese Person." }

    func others(_ count: Int) -> String {
        count == 1
            ? "Das geschah in den Stunden davor noch einmal." : "Das geschah in den Stunden davor noch \(count)-mal."
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .reportClosed, .reportChanged, .sightingDismissed, .bikeTransferred, .bikeErased,
            .bikeChanged, .beaconChanged, .beaconClockMoved:
            "Falls du das nicht warst, hat jemand dein Token: Erstelle mit einem Wiederherstellungscode ein neues und "
                + "widerrufe die anderen."
        case .sessionCreated, .sessionRevoked, .passkeyAdded, .passkeyRemoved:
            "Falls du das nicht warst, melde dich mit einem Wiederherstellungscode an, entferne fremde Passkeys, melde "
                + "die anderen Browser ab und widerrufe deine Token."
        case .shareCreated:
            "Falls du das nicht warst, hat jemand dein Telefon oder dein Token: Widerrufe den Link, melde die anderen "
                + "Browser ab und widerrufe deine Token."
        case .shareRevoked:
            "Falls du das nicht warst, hat jemand dein Telefon oder dein Token. Erstelle bei Bedarf einen neuen Link."
        case .passkeyCopied:
            "Melde dich mit einem Wiederherstellungscode an, entferne diesen Passkey und füge einen neuen hinzu."
        case .reportOpened: "Falls das nicht mit dir abgesprochen war, schließe die Vermisstmeldung."
        case .memberInvited, .memberJoined, .memberChanged, .memberRemoved:
            "Falls du das nicht erwartet hast, entferne Mitglieder und Einladungen, die du nicht kennst, melde fremde "
                + "Browser ab und widerrufe fremde Token."
        case .membershipEnded: sharedAdvice
        case .channelGone: "Richte einen anderen Meldeweg ein, damit Meldungen dich weiterhin erreichen."
        case .channelTest: "Es ist nichts zu tun."
        case .channelVerification: "Falls du das nicht warst, tu nichts: Es kommt keine weitere Nachricht."
        case .reportExpiring, .reportExpired:
            "Erstelle eine neue Vermisstmeldung, falls das Zweirad noch vermisst wird."
        case .reportSuspended:
            "Zeige den Diebstahl bei der Polizei an und trage das Aktenzeichen in die Vermisstmeldung ein. Dann geht die "
                + "Suche weiter; war der Sender bei der Meldung neu, sobald der Betreiber das Aktenzeichen bestätigt hat."
        case .reportUnconfirmed, .confirmationNeeded, .referenceWithdrawn:
            "Schicke dem Betreiber die Kennung deiner Vermisstmeldung und einen Beleg, etwa das Schreiben der "
                + "Polizei, und bitte ihn, das Aktenzeichen zu bestätigen."
        case .referenceNeeded:
            "Zeige den Diebstahl bei der Polizei an und trage das Aktenzeichen vorher in die Vermisstmeldung ein. War der "
                + "Sender bei der Meldung neu, bitte den Betreiber, es zu bestätigen."
        case .beaconProved:
            "Lass den Sender so eingestellt, wie er jetzt ist. Falls du das nicht warst, hat jemand dein Token."
        case .claimAccepted:
            "Der Sender muss die Werte senden, die er bei der Anmeldung hatte: Falls du sie geändert hast, stelle sie "
                + "zurück."
        case .claimRefused:
            "Stelle den Sender auf die Werte ein, die zum Zweirad angezeigt werden, und mache die Probe an "
                + "einer Station."
        case .referenceConfirmed, .searchAllowed, .ownerResumed, .ownerVerified: "Es ist nichts zu tun."
        case .objectionAnswered: "Wenn du Neues weißt, schreibe dem Betreiber."
        case .searchStopped:
            "Falls du das für einen Irrtum hältst, erhebe auf der Seite des Zweirads Einspruch, einmal."
        case .ownerSuspended, .ownerUnverified:
            "Falls du das für einen Irrtum hältst, schreibe dem Betreiber."
        case .reportQuiet:
            "Falls es wieder da ist, schließe die Vermisstmeldung; bis dahin hören alle Stationen weiter danach."
        case .beaconFound:
            "Das sind Worte eines Fremden, die niemand geprüft hat: Öffne keinen Link, zahle nichts, triff dich mit "
                + "niemandem allein. Verständige die Polizei."
        case .messageReceived:
            "Lies die Nachricht auf der Seite des Zweirads oder mit ‚findmybike message list‘. Niemand hat sie geprüft: "
                + "Öffne keinen Link, zahle nichts, triff dich mit niemandem allein."
        case .stickerChanged:
            "Gibt es einen neuen Code, bringe ihn am Zweirad an. Falls du das nicht warst, hat jemand dein Telefon oder "
                + "dein Token: Erstelle einen neuen Code, melde die anderen Browser ab und widerrufe deine Token."
        case .conversationEnded:
            "Falls du das nicht warst, hat jemand dein Telefon oder dein Token. Die Nachrichten bleiben 30 Tage lesbar."
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding:
            "Trage danach den nächsten Termin beim Zweirad ein, dann wirst du wieder rechtzeitig erinnert."
        case .batteryAging:
            "Wechsle sie und trage den Tag beim Zweirad ein: Ein Sender mit leerer Batterie wird nie gehört."
        }
    }
}
