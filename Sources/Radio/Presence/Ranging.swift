/// The constants of smoothing and hysteresis for converting signal strength to a distance band.
public struct Ranging: Hashable, Sendable {
    /// The time constant of the exponential average; after it, a step in signal strength has passed to 63 %.
    ///
    /// 6 s gives each frame of a beacon with one frame a second a weight of 0.15. Home Assistant's fixed weight of 0.3
    /// equals 2.8 s at that rate, but only 1 s at 350 ms; AltBeacon's trimmed mean over 20 s lags a bike that rides
    /// past by half its stay.
    public let timeConstant: Duration
    /// Half the width of the hysteresis around each band's edge, in dB.
    ///
    /// Shadowing of 4 dB is reduced to 1.2 dB by smoothing at one frame a second if it changes with every frame, and to
    /// 2.3 dB if it lasts three seconds; 5 dB is twice the worse value. In this fading, a beacon on an edge changes its
    /// band about eleven times an hour instead of 220 times.
    public let margin: Double
    /// The silence after which the band is unknown and smoothing restarts.
    ///
    /// The upper end of the 10–30 s after which AltBeacon gives up a region: at one frame a second, even a receiver
    /// that misses four frames of five is silent for that long only once in 800 stretches.
    public let silentAfter: Duration

    /// The constants explained at the properties.
    public static let standard = Ranging(unchecked: .seconds(6), margin: 5, silentAfter: .seconds(30))

    /// Constants for a moving person: at two frames a second, a step in the signal shows within about two seconds.
    public static let searching = Ranging(unchecked: .seconds(1.5), margin: 3, silentAfter: .seconds(10))

    /// - Parameters:
    ///   - timeConstant: 0 s (no averaging) to 10 min.
    ///   - margin: 0 dB (no hysteresis) to 20 dB.
    ///   - silentAfter: 1 s to 1 h.
    /// - Throws: ``PresenceError/invalid(setting:allowed:)``.
    public init(
        timeConstant: Duration = standard.timeConstant,
        margin: Double = standard.margin,
        silentAfter: Duration = standard.silentAfter
    ) throws(PresenceError) {
        guard (.zero ... .seconds(600)).contains(timeConstant) else {
            throw .invalid(setting: "timeConstant", allowed: "0 s to 10 min")
        }
        guard (0...20).contains(margin) else {
            throw .invalid(setting: "margin", allowed: "0 dB to 20 dB")
        }
        guard (.seconds(1) ... .seconds(3600)).contains(silentAfter) else {
            throw .invalid(setting: "silentAfter", allowed: "1 s to 1 h")
        }
        self.init(unchecked: timeConstant, margin: margin, silentAfter: silentAfter)
    }

    private init(unchecked timeConstant: Duration, margin: Double, silentAfter: Duration) {
        self.timeConstant = timeConstant
        self.margin = margin
        self.silentAfter = silentAfter
    }
}
