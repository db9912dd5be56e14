public import RegistryAPI

/// What an owner may do a limited number of times a day, since erasing and making again would pass every other limit.
public enum DailyUse: String, CaseIterable, Hashable, Sendable {
    /// Identities that are issued: none comes back.
    case identities
    /// Addresses that become a channel's: each of them hears when it is one no longer.
    case addresses
    /// Reports that are opened: each changes every station's list, and stays.
    case reports
    /// Tests of beacons: each puts one on every station's list.
    case tests

    /// How many a day: twice what an owner may have at a time, four times as many reports, and as many tests as bikes.
    public func most(_ quotas: Quotas) -> Int {
        switch self {
        case .identities: 2 * quotas.bikes
        case .addresses: 2 * quotas.channels
        case .reports: 4 * quotas.openReports
        case .tests: quotas.bikes
        }
    }

    public static let window = Duration.seconds(86_400)

    var limitation: String {
        switch self {
        case .identities: "You have registered as many beacons in the last 24 hours as this registry allows."
        case .addresses: "You have set as many channel addresses in the last 24 hours as this registry allows."
        case .reports: "You have reported as many bikes missing in the last 24 hours as this registry allows."
        case .tests: "You have tested beacons as often in the last 24 hours as this registry allows."
        }
    }
}

extension Quota {
    /// What there are so many of.
    var noun: String {
        switch self {
        case .bikes: "bikes"
        case .channels: "channels"
        case .tokens: "tokens"
        case .openReports: "open missing reports"
        }
    }

    /// How an owner makes room.
    var remedy: String {
        switch self {
        case .bikes: "Erase one that you no longer have"
        case .channels: "Remove one that you no longer need"
        case .tokens: "Revoke one that you no longer use"
        case .openReports: "Close one whose bike is back"
        }
    }
}
