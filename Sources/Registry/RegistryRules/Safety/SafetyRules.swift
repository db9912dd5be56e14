public import Beacons
public import RegistryAPI

/// A request of somebody who feels followed, to be stored.
public struct NewSafetyRequest: Sendable {
    public var id: SafetyRequestID
    public var secret: SecretDigest
    public var beacon: BeaconIdentity?
    public var text: String
    public var network: FinderNetwork
    public var time: Timestamp

    public init(
        id: SafetyRequestID, secret: SecretDigest, beacon: BeaconIdentity?, text: String, network: FinderNetwork,
        time: Timestamp
    ) {
        self.id = id
        self.secret = secret
        self.beacon = beacon
        self.text = text
        self.network = network
        self.time = time
    }
}

/// The limits of requests of people who feel followed.
public enum SafetyRules {
    /// The maximum number of requests from one subscriber in a day about the same beacon of this registry, and the same
    /// number about everything else.
    public static let perNetwork = 3
    /// The maximum number of open requests about beacons of this registry, and the same number of others. Beyond it,
    /// the beacon with the most requests loses its newest. Of the others, the wider network with the most loses the
    /// newest request of its subscriber with the most.
    public static let mostOpen = 1000
    /// The time in which the operator should answer.
    public static let answerWithin = Duration.days(1)
    /// The time after which an open request is deleted.
    public static let openFor = Duration.days(90)
    /// The time for which a closed request is kept, so that its answer can be read.
    public static let kept = Duration.days(30)
}

/// When an operator should look at a search.
///
/// What stations hear hardly distinguishes a person from a bike that is ridden every day (record 66), so these facts
/// only say where to look first.
public enum MisuseRules {
    /// The time over which an owner's reports are counted.
    public static let reportsSpan = Duration.days(30)
    /// The number of reports from which they are a sign.
    public static let manyReports = 3
    /// The time over which nights are counted.
    public static let nightsSpan = Duration.days(14)
    /// The number of nights from which they are a sign.
    public static let manyNights = 2
    /// The time between two looks at a search.
    public static let interval = Duration.days(1)

    /// The reasons to look at a search.
    ///
    /// - Parameters:
    ///   - isNew: whether the beacon was new when the report was opened.
    ///   - reports: the owner's reports within ``reportsSpan``.
    ///   - nights: the nights within ``nightsSpan``.
    public static func signs(isNew: Bool, reports: Int, nights: StationNights) -> [SearchToCheck.Sign] {
        var signs: [SearchToCheck.Sign] = []
        if isNew { signs.append(.newBeacon) }
        if reports >= manyReports { signs.append(.reportedAgain) }
        if nights.most >= manyNights, nights.stations > 1 { signs.append(.nightsAtOnePlace) }
        return signs
    }
}
