/// The owners who may have rotating beacons.
public enum RotatingBeaconPolicy: String, CaseIterable, Hashable, Sendable {
    case everyone
    /// Owners whom an operator has verified. Phones do not recognise a rotating beacon, so a person who is followed
    /// with one notices nothing.
    case verified
}
