import RegistryAPI

extension EnglishWords {
    func title(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated: "A new token was made"
        case .recoveryUsed: "A recovery code was used"
        case .ownerChanged: "Your account was changed"
        case .channelRemoved: "An alert channel was removed"
        case .channelChanged: "An alert channel was changed"
        case .channelGone: "An alert channel does not work any more"
        case .channelTest: "A test of your alerts"
        case .channelVerification: "Do you want alerts at this address?"
        case .reportClosed: "A missing report was closed"
        case .reportExpiring: "A missing report ends soon"
        case .reportExpired: "A missing report has ended"
        case .reportSuspended: "A missing report needs a police reference"
        case .reportQuiet: "Is your bike back?"
        case .bikeTransferred: "A bike was handed over"
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
        case .recoveryUsed: "A recovery code of your account was used to make a new token\(subject)."
        case .ownerChanged: "It was changed how and when your account’s alerts come."
        case .channelRemoved: "An alert channel\(subject) of your account was removed."
        case .channelChanged: "An alert channel\(subject) of your account leads elsewhere now."
        case .channelGone: "An alert channel\(subject) of your account was removed: nothing arrives there any more."
        case .channelTest: "This is a test of an alert channel\(subject) of your account."
        case .channelVerification: "Somebody wants alerts about a missing bike to be sent to this address."
        case .reportClosed: "The missing report of \(bike) was closed\(subject)."
        case .reportExpiring: "The missing report of \(bike) ends \(day)."
        case .reportExpired: "The missing report of \(bike) has ended by age."
        case .reportSuspended: "Nobody looks for \(bike) any more: its missing report has no police reference."
        case .reportQuiet: "\(bike.capitalizedFirst) is missing still, but has not been heard \(since)."
        case .bikeTransferred: "\(bike.capitalizedFirst) was handed over to another owner."
        case .beaconFound: "Somebody says that they hear the beacon of \(bike)\(subject)."
        case .inspectionDue: "The inspection of \(bike) is due \(day)."
        case .insuranceEnding: "The insurance of \(bike) ends \(day)."
        case .taxDue: "The tax of \(bike) is due \(day)."
        case .breakdownCoverEnding:
            "The breakdown cover of \(bike) ends \(day)" + (notice.subject.map { "; its number is \($0)." } ?? ".")
        case .batteryAging: "The battery in the beacon of \(bike) may be empty \(day), by its age."
        }
    }

    func advice(_ event: OwnerNotice.Event) -> String {
        switch event {
        case .tokenCreated, .recoveryUsed, .ownerChanged, .channelRemoved, .channelChanged, .reportClosed,
            .bikeTransferred:
            "If this was not you, somebody has your token: make a new one with a recovery code and revoke the others."
        case .channelGone: "Add another channel, so that alerts still reach you."
        case .channelTest: "Nothing needs to be done."
        case .channelVerification: "If it was not you, do nothing: no other message will come."
        case .reportExpiring, .reportExpired: "Open a new report if the bike is still missing."
        case .reportSuspended: "Tell the police of the theft and add their reference to the report; it then goes on."
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
