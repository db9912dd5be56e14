import RegistryAPI

extension EnglishWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "A new token was made"
        case .tokenRevoked: "A token was revoked"
        case .recoveryUsed: "A recovery code was used"
        case .recoveryReplaced: "Your recovery codes were replaced"
        case .ownerChanged: "Your account was changed"
        case .channelRemoved: "An alert channel was removed"
        case .channelChanged: "An alert channel was changed"
        case .channelGone: "An alert channel does not work any more"
        case .channelTest: "A test of your alerts"
        case .channelVerification: "Do you want alerts at this address?"
        case .reportClosed: "A missing report was closed"
        case .reportChanged: "A missing report was changed"
        case .sightingDismissed: "A sighting was dismissed"
        case .reportExpiring: "A missing report ends soon"
        case .reportExpired: "A missing report has ended"
        case .reportSuspended: "A missing report needs a police reference"
        case .reportUnconfirmed: "A police reference was not confirmed"
        case .referenceNeeded: "A search ends soon: give the police reference"
        case .confirmationNeeded: "A search ends soon: have the police reference confirmed"
        case .referenceConfirmed: "Your police reference is confirmed"
        case .referenceWithdrawn: "Your police reference is no longer confirmed"
        case .searchStopped: "The operator has stopped a search"
        case .searchAllowed: "The operator allows a search again"
        case .beaconProved: "Your beacon was heard: it is yours"
        case .claimAccepted: "The operator has accepted your beacon"
        case .claimRefused: "The operator has not accepted your beacon"
        case .ownerSuspended: "The operator has suspended your account"
        case .ownerResumed: "Your account is no longer suspended"
        case .reportQuiet: "Is your bike back?"
        case .bikeTransferred: "A bike was handed over"
        case .bikeErased: "A bike was erased"
        case .bikeChanged: "The description of a missing bike was changed"
        case .beaconChanged: "A bike has another beacon now"
        case .beaconFound: "Somebody found your bike’s beacon"
        case .inspectionDue: "An inspection is due"
        case .insuranceEnding: "An insurance ends soon"
        case .taxDue: "A tax is due"
        case .breakdownCoverEnding: "A breakdown cover ends soon"
        case .batteryAging: "A beacon needs a new battery"
        }
    }

    func message(_ notice: OwnerNotice, _ bike: BikeName) -> String {
        let bike = your(bike)
        let subject = notice.subject.map { " “\($0)”" } ?? ""
        let day = notice.date.map { "on \(date($0))" } ?? "soon"
        let since = notice.date.map { "since \(date($0))" } ?? "for long"
        return switch notice.event {
        case .tokenCreated: "A new token\(subject) for your account was made."
        case .tokenRevoked: "A token\(subject) of your account was revoked."
        case .recoveryReplaced: "All recovery codes of your account were replaced by new ones."
        case .recoveryUsed: "A recovery code of your account was used to make a new token\(subject)."
        case .ownerChanged:
            "Your alert settings were changed, or what venues learn about your missing bike."
        case .channelRemoved: "An alert channel\(subject) of your account was removed."
        case .channelChanged: "An alert channel\(subject) of your account leads elsewhere now."
        case .channelGone: "An alert channel\(subject) of your account was removed: nothing arrives there any more."
        case .channelTest: "This is a test of an alert channel\(subject) of your account."
        case .channelVerification: "Somebody wants alerts about a missing bike to be sent to this address."
        case .reportClosed: "The missing report of \(bike) was closed\(subject)."
        case .reportChanged:
            "In the missing report of \(bike), the police reference or the time for which sightings are kept was changed."
        case .sightingDismissed:
            "Sightings of \(bike) were dismissed as wrong, so no alert comes about them. They are in the trail, marked."
        case .reportExpiring: "The missing report of \(bike) ends \(day)."
        case .reportExpired: "The missing report of \(bike) has ended by age."
        case .reportSuspended: "Nobody looks for \(bike) any more: its missing report has no police reference."
        case .reportUnconfirmed:
            "Nobody looks for \(bike) any more: no operator has confirmed its police reference\(subject)."
        case .referenceNeeded: "The search for \(bike) ends \(day): its missing report has no police reference."
        case .confirmationNeeded:
            "The search for \(bike) ends \(day): no operator has confirmed its police reference\(subject)."
        case .referenceConfirmed:
            "The operator has confirmed the police reference\(subject) of \(bike): the search goes on."
        case .referenceWithdrawn: "The operator no longer confirms the police reference\(subject) of \(bike)."
        case .searchStopped: "The operator has taken \(bike) off the list of missing bikes\(reason(notice))."
        case .searchAllowed: "The operator allows \(bike) to be searched for again."
        case .beaconProved:
            "A station has heard the beacon of \(bike) in its test. You can report the bike missing from now on."
        case .claimAccepted:
            "The operator has accepted the beacon of \(bike) as you gave it. You can report the bike missing from now on."
        case .claimRefused: "The operator has not accepted the beacon of \(bike) as you gave it\(reason(notice))."
        case .ownerSuspended:
            "The operator has suspended your account\(reason(notice)). None of your bikes is searched for."
        case .ownerResumed: "The operator has lifted the suspension of your account."
        case .reportQuiet: "\(bike.capitalizedFirst) is missing still, but has not been heard \(since)."
        case .bikeTransferred: "\(bike.capitalizedFirst) was handed over to another owner."
        case .bikeErased: "\(bike.capitalizedFirst) was erased: nobody can look for it any more."
        case .bikeChanged: "The description of \(bike), which is missing, was changed."
        case .beaconChanged: "\(bike.capitalizedFirst) is looked for by another beacon now."
        case .beaconFound: "Somebody says that they hear the beacon of \(bike)\(subject)."
        case .inspectionDue: "The inspection of \(bike) is due \(day)."
        case .insuranceEnding: "The insurance of \(bike) ends \(day)."
        case .taxDue: "The tax of \(bike) is due \(day)."
        case .breakdownCoverEnding:
            "The breakdown cover of \(bike) ends \(day)" + (notice.subject.map { "; its number is \($0)." } ?? ".")
        case .batteryAging: "The battery in the beacon of \(bike) may be empty \(day), by its age."
        }
    }

    private func reason(_ notice: OwnerNotice) -> String { notice.subject.map { " (reason: “\($0)”)" } ?? "" }

    func others(_ count: Int) -> String {
        count == 1
            ? "It happened once more in the hours before." : "It happened \(count) more times in the hours before."
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .tokenRevoked, .recoveryUsed, .recoveryReplaced, .ownerChanged, .channelRemoved,
            .channelChanged, .reportClosed, .reportChanged, .sightingDismissed, .bikeTransferred, .bikeErased,
            .bikeChanged, .beaconChanged:
            "If this was not you, somebody has your token: make a new one with a recovery code and revoke the others."
        case .channelGone: "Add another channel, so that alerts still reach you."
        case .channelTest: "Nothing needs to be done."
        case .channelVerification: "If it was not you, do nothing: no other message will come."
        case .reportExpiring, .reportExpired: "Open a new report if the bike is still missing."
        case .reportSuspended: "Tell the police of the theft and add their reference to the report; it then goes on."
        case .reportUnconfirmed, .confirmationNeeded, .referenceWithdrawn:
            "Send the registry’s operator your report’s identifier and what shows the reference, the police’s letter for "
                + "instance, and ask them to confirm it."
        case .referenceNeeded: "Tell the police of the theft and add their reference to the report before then."
        case .beaconProved: "Leave the beacon as it is set now. If this was not you, somebody has your token."
        case .claimAccepted:
            "The beacon must send the values that it had when you registered it: if you have changed them, set them back."
        case .claimRefused:
            "Set the beacon to the values that the registry shows for the bike, and test it at a station."
        case .referenceConfirmed, .searchAllowed, .ownerResumed: "Nothing needs to be done."
        case .searchStopped, .ownerSuspended: "If you think that this is a mistake, write to the registry’s operator."
        case .reportQuiet: "If it is back, close the report; until then every station goes on listening for it."
        case .beaconFound:
            "These are a stranger’s words that nobody has checked: open no link, pay nothing, meet nobody alone. Tell "
                + "the police."
        case .inspectionDue, .insuranceEnding, .taxDue, .breakdownCoverEnding:
            "Once it is done, set the bike’s next date, and you are reminded in time again."
        case .batteryAging: "Change it, and set the day in the bike’s details: an empty beacon is never heard."
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
