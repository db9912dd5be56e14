import Beacons
private import Glibc

extension Scenario {
    /// A radio environment: the log-distance path loss model with log-normal shadowing
    /// (Rappaport, “Wireless Communications”, section 4.9).
    public struct Environment: Hashable, Sendable {
        /// The path loss exponent, 1 to 6: 2 in free space, 2.5 to 3.5 among people and walls.
        public internal(set) var pathLossExponent = 2.4
        /// The standard deviation of the shadowing, 0 to 20 dB.
        public internal(set) var shadowingSigma = 4.0
        /// The time after which the shadowing's correlation has fallen to 1/e, 0 to 1 h; zero makes every frame
        /// independent.
        public internal(set) var shadowingCorrelation = Duration.seconds(3)
        /// The weakest signal that the receiver decodes, −127 to 0 dBm.
        public internal(set) var sensitivity = -95.0
        /// The share of the frames that are lost to collisions or while the receiver scans another channel, 0 to 1.
        public internal(set) var packetLoss = 0.2

        init() {}

        /// The minimum distance, below which the model's far field does not apply and the signal stops increasing.
        static let nearestMetres = 0.1

        /// The expected signal strength in dBm at a distance, without shadowing.
        public func meanRSSI(measuredPower: Int8, metres: Double) -> Double {
            Double(measuredPower) - 10 * pathLossExponent * log10(max(metres, Self.nearestMetres))
        }

        /// The distance in metres up to which the expected signal is decoded; nil if it never is.
        ///
        /// - Parameter fade: what shadowing takes away in dB; negative if it adds to the signal.
        public func range(measuredPower: Int8, fade: Double = 0) -> Double? {
            let metres = pow(10, (Double(measuredPower) - fade - sensitivity) / (10 * pathLossExponent))
            return metres < Self.nearestMetres ? nil : metres
        }

        /// The correlation of the shadowing between two frames this many nanoseconds apart.
        ///
        /// - Parameter constant: ``shadowingCorrelation`` in seconds.
        static func correlation(over nanoseconds: Int64, constant: Double) -> Double {
            constant > 0 ? exp(-Double(nanoseconds) / 1e9 / constant) : 0
        }
    }
}
