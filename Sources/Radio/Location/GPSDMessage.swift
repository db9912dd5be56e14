import Foundation
import Syntax

/// A line of gpsd's JSON protocol (gpsd_json(5)), as far as it is needed here.
public enum GPSDMessage: Hashable, Sendable {
    /// A report of time, position and velocity with a two- or three-dimensional position.
    case fix(GPSFix)
    /// A report without a position.
    case noFix
    /// An error message from gpsd.
    case error(String)
    /// Any other message.
    case other

    /// Parses a line; nil if it is not from gpsd: not a JSON object with a class, or with a position that is not on
    /// Earth.
    public init?(_ line: [UInt8]) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)) else { return nil }
        switch fields.class {
        case "TPV":
            guard let mode = fields.mode, mode >= 2 else {
                self = .noFix
                return
            }
            guard let latitude = fields.lat, let longitude = fields.lon, (-90...90).contains(latitude),
                (-180...180).contains(longitude)
            else { return nil }
            self = .fix(GPSFix(latitude: latitude, longitude: longitude, accuracy: fields.accuracy))
        case "ERROR": self = .error((fields.message ?? "no reason given").line(atMost: 200))
        default: self = .other
        }
    }

    /// The fields by gpsd's names.
    private struct Fields: Decodable {
        let `class`: String
        /// 2 or 3: a position of so many dimensions.
        let mode: Int?
        let lat: Double?
        let lon: Double?
        /// The estimated error in metres: horizontal, to the east and to the north.
        let eph: Double?
        let epx: Double?
        let epy: Double?
        let message: String?

        /// The horizontal error, either as reported or computed from its components, as older versions report it.
        var accuracy: Double? {
            var computed: Double?
            if let epx, let epy { computed = (epx * epx + epy * epy).squareRoot() }
            guard let metres = eph ?? computed, metres.isFinite, metres >= 0 else { return nil }
            return min(metres, 10_000)
        }
    }
}

/// A position reported by a receiver (WGS 84).
public struct GPSFix: Hashable, Sendable {
    /// The latitude in degrees, −90…90, north positive.
    public let latitude: Double
    /// The longitude in degrees, −180…180, east positive.
    public let longitude: Double
    /// The receiver's estimate of its horizontal error in metres, 0…10,000; nil if there is none.
    public let accuracy: Double?

    public init(latitude: Double, longitude: Double, accuracy: Double?) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}
