import Registry
import RegistryAPI

extension DailyUse {
    var limitation: String {
        switch self {
        case .identities: "You have registered as many beacons in the last 24 hours as this registry allows."
        case .addresses: "You have set as many channel addresses in the last 24 hours as this registry allows."
        case .reports: "You have reported as many bikes missing in the last 24 hours as this registry allows."
        case .shares: "You have made as many links in the last 24 hours as this registry allows."
        case .tests: "You have tested beacons as often in the last 24 hours as this registry allows."
        case .invitations: "You have made as many invitations in the last 24 hours as this registry allows."
        case .codes: "You have made as many codes for stickers in the last 24 hours as this registry allows."
        case .numbers: "You have let buyers check as many numbers in the last 24 hours as this registry allows."
        case .clockChecks:
            "You have checked rotating beacons as often in the last 24 hours as this registry allows."
        }
    }
}

extension Quota {
    /// The name of the things that there are too many of.
    var noun: String {
        switch self {
        case .bikes: "bikes"
        case .channels: "channels"
        case .tokens: "tokens"
        case .openReports: "open missing reports"
        case .photos: "photos"
        }
    }

    /// The way to make room.
    var remedy: String {
        switch self {
        case .bikes: "Erase one that you no longer have"
        case .channels: "Remove one that you no longer need"
        case .tokens: "Revoke one that you no longer use"
        case .openReports: "Close one whose bike is back"
        case .photos: "Remove one that you no longer need"
        }
    }
}
