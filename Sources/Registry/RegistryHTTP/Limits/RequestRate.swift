import Syntax

/// A number of requests in a period. After a pause, all of them may be made together; after that they are spread
/// evenly.
public struct RequestRate: Hashable, Sendable {
    /// The number of requests, at least 1.
    public let count: Int
    /// The time in which they are allowed; more than zero.
    public let period: Duration

    public init(_ count: Int, per period: Duration) {
        self.count = max(1, count)
        self.period = period
    }

    /// A rate with a multiple of the requests in the same period.
    static func * (rate: RequestRate, factor: Int) -> RequestRate {
        RequestRate(rate.count * factor, per: rate.period)
    }

    /// The time after which one more request is allowed.
    var interval: Duration { period / count }
}

/// A limit in the notation of the settings: `600/minute`, or `off`.
public enum RequestLimit: Hashable, Sendable {
    /// Requests are not counted.
    case off
    case rate(RequestRate)

    /// - Returns: nil unless the text is `off`, or 1 to 1,000,000 requests each `second`, `minute`, `hour` or `day`.
    public init?(_ text: String) {
        if text == "off" {
            self = .off
            return
        }
        let parts = text.split(at: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(digits: parts[0]), (1...1_000_000).contains(count),
            let unit = Self.units.first(where: { $0.name == parts[1] })
        else { return nil }
        self = .rate(RequestRate(count, per: .seconds(unit.seconds)))
    }

    private static let units: [(name: String, seconds: Int)] = [
        ("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400),
    ]
}

extension RequestLimit: CustomStringConvertible {
    public var description: String {
        guard case .rate(let rate) = self else { return "off" }
        let unit = Self.units.first { .seconds($0.seconds) == rate.period }?.name
        return "\(rate.count)/\(unit ?? "\(rate.period)")"
    }
}
