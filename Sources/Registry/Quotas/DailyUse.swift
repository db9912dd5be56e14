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
}
