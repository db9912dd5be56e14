import RegistryAPI

extension Quota {
    /// The name of the things whose number is too high.
    var noun: String {
        switch self {
        case .bikes: "bikes"
        case .channels: "channels"
        case .tokens: "tokens"
        case .openReports: "open missing reports"
        case .photos: "photos"
        }
    }

    /// The way to make room, as an imperative without a full stop.
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
