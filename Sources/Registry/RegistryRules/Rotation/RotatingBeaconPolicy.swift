/// The owners who may have rotating beacons.
public enum RotatingBeaconPolicy: String, CaseIterable, Hashable, Sendable {
    case everyone
    /// Owners whom an operator has verified. Phones do not recognise a rotating beacon, so somebody who is followed by one
    /// notices nothing.
    case verified
}
