/// How received signal strength becomes a distance band: the constants of smoothing and hysteresis.
public struct Ranging: Hashable, Sendable {
    /// Time constant of the exponential average; a step in signal strength has passed to 63 % after it.
    ///
    /// 6 s weighs a beacon of one frame a second by 0.15 a frame. Home Assistant's fixed 0.3 a frame equals 2.8 s there,
    /// but only 1 s at 350 ms; AltBeacon's trimmed mean over 20 s lags a bike that rides past by half its stay.
    public let timeConstant: Duration
    /// Half the width of the hysteresis around each band's edge, in dB.
    ///
    /// Shadowing of 4 dB leaves 1.2 dB after smoothing at one frame a second if it changes with every frame, 2.3 dB if
    /// it lasts three seconds; 5 dB is twice the worse. A beacon that stands on an edge then changes its band about
    /// eleven times an hour in this fading, instead of 220 times.
    public let margin: Double
    /// Silence after which the band is unknown and smoothing begins again.
    ///
    /// The upper end of the 10–30 s after which AltBeacon gives a region up: at one frame a second, even a receiver that
    /// misses four frames of five stays silent for so long once in 800 stretches.
    public let silentAfter: Duration

    /// The constants as the members explain them.
    public static let standard = Ranging(unchecked: .seconds(6), margin: 5, silentAfter: .seconds(30))

    /// For a seeker that moves: two frames a second show a step of the signal within some two seconds.
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
