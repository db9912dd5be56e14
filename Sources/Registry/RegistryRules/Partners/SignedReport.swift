public import RegistryAPI

/// A partner's report of a visit, with the signature that it verified by. A class, so that visits without one cost
/// nothing.
public final class SignedReport: Sendable {
    public let signed: SignedVisit
    /// The fingerprint of the pinned key, 64 hexadecimal digits.
    public let key: String
    /// The visit in the statement.
    public let visit: Visit

    public init(_ signed: SignedVisit, key: String, visit: Visit) {
        self.signed = signed
        self.key = key
        self.visit = visit
    }
}
