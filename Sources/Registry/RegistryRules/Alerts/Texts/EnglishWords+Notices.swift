import RegistryAPI

extension EnglishWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "A new token was made"
        case .tokenRevoked: "A token was revoked"
        case .recoveryUsed: "A recovery code was used"
        case .recoveryReplaced: "Your recovery codes were replaced"
        case .sessionCreated: "Somebody has signed in to your account"
        case .sessionRevoked: "A browser was signed out"
        case .passkeyAdded: "A passkey was added"
        case .passkeyRemoved: "A passkey was removed"
        case .passkeyCopied: "Somebody may have a copy of your passkey"
        case .shareCreated: "A link to a search was made"
        case .shareRevoked: "A link to a search was revoked"
        case .ownerChanged: "Your account was changed"
        case .channelRemoved: "An alert channel was removed"
        case .channelChanged: "An alert channel was changed"
        case .channelGone: "An alert channel no longer works"
        case .channelTest: "A test of your alerts"
        case .channelVerification: "Do you want alerts at this address?"
        case .reportOpened: "A bike was reported missing"
        case .reportClosed: "A missing report was closed"
        case .reportChanged: "A missing report was changed"
        case .sightingDismissed: "A sighting was dismissed"
        case .reportExpiring: "A missing report ends soon"
        case .reportExpired: "A missing report has ended"
        case .reportSuspended: "A missing report needs a police reference"
        case .reportUnconfirmed: "A police reference was not confirmed"
        case .referenceNeeded: "A search ends soon: give the police reference"
        case .confirmationNeeded: "A search ends soon: get the police reference confirmed"
        case .referenceConfirmed: "Your police reference is confirmed"
        case .referenceWithdrawn: "Your police reference is no longer confirmed"
        case .searchStopped: "The operator has stopped a search"
        case .searchAllowed: "The operator allows a search again"
        case .objectionAnswered: "The operator has answered your objection"
        case .beaconProved: "Your beacon was heard: the test has succeeded"
        case .claimAccepted: "The operator has accepted your beacon"
        case .claimRefused: "The operator has not accepted your beacon"
        case .ownerSuspended: "The operator has suspended your account"
        case .ownerResumed: "Your account is no longer suspended"
        case .ownerVerified: "The operator has verified your account"
        case .ownerUnverified: "Your account is no longer verified"
        case .reportQuiet: "Is your bike back?"
        case .memberInvited: "Somebody was invited to your bike"
        case .memberJoined: "Your bike has a new member"
        case .memberChanged: "A member of your bike has another role"
        case .memberRemoved: "A member of your bike was removed"
        case .membershipEnded: "A bike is no longer shared with you"
        case .bikeTransferred: "A bike was handed over"
        case .bikeErased: "A bike was erased"
        case .bikeChanged: "The details of a missing bike were changed"
        case .beaconChanged: "A bike has another beacon now"
        case .beaconClockMoved: "The clock of a bike’s beacon has changed"
        case .beaconFound: "Somebody found your bike’s beacon"
        case .messageReceived: "Somebody has written to you about a bike"
        case .stickerChanged: "The code on a bike’s sticker no longer works"
        case .conversationEnded: "A conversation about a missing bike was ended, or a finder blocked"
        case .inspectionDue: "An inspection is due"
        case .insuranceEnding: "An insurance policy ends soon"
        case .taxDue: "A vehicle tax is due"
        case .breakdownCoverEnding: "Breakdown cover ends soon"
        case .batteryAging: "A beacon needs a new battery"
        }
    }

    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String {
        let bike = your(bike)
        let subject = notice.subject.map { " “\($0)”" } ?? ""
        let day = notice.date.map { "on \(date($0))" } ?? "soon"
        let since = notice.date.map { "since \(date($0))" } ?? "for a long time"
        return switch notice.event {
        case .tokenCreated: "A new token\(subject) for your account was made."
        case .tokenRevoked: "A token\(subject) of your account was revoked."
        case .recoveryReplaced: "All recovery codes of your account were replaced by new ones."
        case .recoveryUsed: "A recovery code of your account was used to make a new token or to sign in\(subject)."
        case .sessionCreated: "Somebody has signed in to your account in a browser\(subject)."
        case .sessionRevoked: "A browser\(subject) was signed out of your account."
        case .passkeyAdded: "A passkey\(subject) was added to your account."
        case .passkeyRemoved: "A passkey\(subject) of your account was removed, and the browsers that it had signed in."
        case .passkeyCopied:
            "Your passkey\(subject) was refused: its number of uses did not grow, so there may be a copy of it."
        case .shareCreated:
            "A link\(subject) to the search for \(bike) was made. Anyone who has it sees where stations hear the bike."
        case .shareRevoked: "A link\(subject) to the search for \(bike) no longer works."
        case .ownerChanged:
            "Your alert settings, or what venues learn about your missing bike, were changed."
        case .channelRemoved: "An alert channel\(subject) of your account was removed."
        case .channelChanged: "An alert channel\(subject) of your account now leads elsewhere."
        case .channelGone: "An alert channel\(subject) of your account was removed because it no longer works."
        case .channelTest: "This is a test of an alert channel\(subject) of your account."
        case .channelVerification: "Somebody asked for alerts about a missing bike to be sent to this address."
        case .reportOpened: "\(bike.capitalizedFirst) was reported missing."
        case .reportClosed: "The missing report of \(bike) was closed\(subject)."
        case .reportChanged:
            "In the missing report of \(bike), the police reference or the time for which sightings are kept was "
                + "changed."
        case .sightingDismissed:
            "Sightings of \(bike) were dismissed as wrong, so you get no alerts about them. They stay in the trail, "
                + "marked."
        case .reportExpiring: "The missing report of \(bike) ends \(day)."
        case .reportExpired: "The missing report of \(bike) has expired."
        case .reportSuspended: "The search for \(bike) has ended: its missing report has no police reference."
        case .reportUnconfirmed:
            "The search for \(bike) has ended: no operator has confirmed its police reference\(subject)."
        case .referenceNeeded: "The search for \(bike) ends \(day): its missing report has no police reference."
        case .confirmationNeeded:
            "The search for \(bike) ends \(day): no operator has confirmed its police reference\(subject)."
        case .referenceConfirmed:
            "The operator has confirmed the police reference\(subject) of \(bike): the search continues."
        case .referenceWithdrawn: "The operator no longer confirms the police reference\(subject) of \(bike)."
        case .searchStopped: "The operator has taken \(bike) off the list of missing bikes\(reason(notice))."
        case .searchAllowed: "The operator allows searches for \(bike) again."
        case .objectionAnswered:
            "The operator keeps \(bike) off the list of missing bikes, and has answered your objection\(answer(notice))."
        case .beaconProved:
            "A station has heard the beacon of \(bike) in its test. You can now report the bike missing."
        case .claimAccepted:
            "The operator has accepted the beacon of \(bike) as you registered it. You can now report the bike missing."
        case .claimRefused: "The operator has not accepted the beacon of \(bike) as you registered it\(reason(notice))."
        case .ownerSuspended:
            "The operator has suspended your account\(reason(notice)). None of your bikes is searched for."
        case .ownerResumed: "The operator has lifted the suspension of your account."
        case .ownerVerified: "The operator has noted that they know who you are."
        case .ownerUnverified: "The operator has withdrawn the verification of your account. Open searches go on."
        case .reportQuiet: "\(bike.capitalizedFirst) is still missing, but has not been heard \(since)."
        case .memberInvited: "An invitation\(subject) to \(bike) was made. Whoever gets its link can become a member."
        case .memberJoined: "Somebody has accepted the invitation\(subject) and is a member of \(bike) now."
        case .memberChanged: "The role of\(subject), a member of \(bike), was changed."
        case .memberRemoved: "\(notice.subject.map { "“\($0)”" } ?? "Somebody") is no longer a member of \(bike)."
        case .membershipEnded: "\(bike.capitalizedFirst) is no longer shared with you. You get no more alerts about it."
        case .bikeTransferred: "\(bike.capitalizedFirst) was handed over to another owner."
        case .bikeErased: "\(bike.capitalizedFirst) was erased: stations can no longer search for it."
        case .bikeChanged:
            "The details of \(bike), which is missing, were changed: its description, its photos, or whether buyers can check its "
                + "number."
        case .beaconChanged: "Stations now search for \(bike) by another beacon."
        case .beaconClockMoved:
            "A check found that the clock of the beacon of \(bike) has changed, perhaps because it lost power. "
                + "Stations now allow for that."
        case .beaconFound: "Somebody says that they hear the beacon of \(bike)\(subject)."
        case .messageReceived: "Somebody who says that they have found \(bike), or were offered it, has written to you."
        case .stickerChanged:
            "The code on the sticker of \(bike) was replaced or revoked: the earlier one no longer works."
        case .conversationEnded: "A conversation about \(bike), which is missing, was ended, or its finder was blocked."
        case .inspectionDue: "The inspection of \(bike) is due \(day)."
        case .insuranceEnding: "The insurance of \(bike) ends \(day)."
        case .taxDue: "The vehicle tax of \(bike) is due \(day)."
        case .breakdownCoverEnding:
            "The breakdown cover of \(bike) ends \(day)" + (notice.subject.map { "; its number is \($0)." } ?? ".")
        case .batteryAging: "By its age, the battery in the beacon of \(bike) may be empty \(day)."
        }
    }

    private func answer(_ notice: OwnerNotice) -> String { notice.subject.map { ": “\($0)”" } ?? "" }

    private func reason(_ notice: OwnerNotice) -> String { notice.subject.map { " (reason: “\($0)”)" } ?? "" }

    func member(_ label: String) -> String { "“\(label)”, with whom you share the bike, did this." }

    var memberAdvice: String { "If you did not expect this, ask this person, or remove them from the bike’s members." }

    var sharedAdvice: String { "The bike is somebody else’s. If you have a question, ask its owner." }

    func others(_ count: Int) -> String {
        count == 1
            ? "It also happened once in the hours before." : "It also happened \(count) times in the hours before."
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .reportClosed, .reportChanged, .sightingDismissed, .bikeTransferred, .bikeErased,
            .bikeChanged, .beaconChanged, .beaconClockMoved:
            "If this was not you, somebody has your token: make a new one with a recovery code and revoke the others."
        case .sessionCreated, .sessionRevoked, .passkeyAdded, .passkeyRemoved:
            "If this was not you, sign in with a recovery code, remove the passkeys that you do not know, sign out the "
                + "other browsers, and revoke your tokens."
        case .shareCreated:
            "If this was not you, somebody has your phone or your token: revoke the link, sign out the other browsers, "
                + "and revoke your tokens."
        case .shareRevoked:
            "If this was not you, somebody has your phone or your token. Make a new link if you need one."
        case .passkeyCopied: "Sign in with a recovery code, remove this passkey, and add a new one."
        case .reportOpened: "If this was not agreed with you, close the report."
        case .memberInvited, .memberJoined, .memberChanged, .memberRemoved:
            "If you did not expect this, remove members and invitations that you do not know, and sign out browsers "
                + "and revoke tokens that are not yours."
        case .membershipEnded: sharedAdvice
        case .channelGone: "Add another channel, so that alerts still reach you."
        case .channelTest: "You do not need to do anything."
        case .channelVerification: "If it was not you, do nothing: you will get no other message."
        case .reportExpiring, .reportExpired: "Open a new report if the bike is still missing."
        case .reportSuspended:
            "Report the theft to the police and add their reference to the report. The search then continues; if the "
                + "beacon was new when you reported the bike, it continues once the operator has confirmed the reference."
        case .reportUnconfirmed, .confirmationNeeded, .referenceWithdrawn:
            "Send the registry’s operator your report’s identifier and proof of the reference, such as a letter from "
                + "the police, and ask them to confirm it."
        case .referenceNeeded:
            "Report the theft to the police and add their reference to the report before then. If the beacon was new "
                + "when you reported the bike, ask the operator to confirm the reference."
        case .beaconProved: "Do not change the beacon’s settings. If this was not you, somebody has your token."
        case .claimAccepted:
            "The beacon must send the values that it had when you registered it: if you have changed them, change them "
                + "back."
        case .claimRefused:
            "Set the beacon to the values that the registry shows for the bike, and test it at a station."
        case .referenceConfirmed, .searchAllowed, .ownerResumed, .ownerVerified: "You do not need to do anything."
        case .objectionAnswered: "If you have new facts, write to the registry’s operator."
        case .searchStopped: "If you think that this is a mistake, object on the page of the bike, once."
        case .ownerSuspended, .ownerUnverified: "If you think that this is a mistake, write to the registry’s operator."
        case .reportQuiet: "If it is back, close the report; until then every station keeps listening for it."
        case .beaconFound:
            "A stranger wrote this, and nobody has checked it: open no links, pay nothing, and do not meet anyone "
                + "alone. Tell the police."
        case .messageReceived:
            "Read it on the bike’s page, or with ‘findmybike message list’. Nobody has checked it: open no links, pay nothing, "
                + "and do not meet anyone alone."
        case .stickerChanged:
            "If there is a new code, put it on the bike. If this was not you, somebody has your phone or your token: make a new code, sign "
                + "out the other browsers, and revoke your tokens."
        case .conversationEnded:
            "If this was not you, somebody has your phone or your token. The messages stay readable for 30 days."
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding:
            "Once it is done, set the bike’s next date to get the next reminder."
        case .batteryAging: "Replace it, and set the date in the bike’s details: a beacon without power is never heard."
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
