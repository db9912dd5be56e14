import Crypto
public import RegistryAPI

/// The link that shows a venue a photo of a missing bike during one visit. It names the visit and is sealed, so it can
/// be neither guessed nor turned into the link of another visit, and need not be stored.
public struct StaffPhotoLink: Hashable, Sendable {
    /// The path before the link's text.
    public static let folder = "/staff-photos/"

    public let station: StationID
    public let visit: VisitID
    private let seal: [UInt8]

    /// The bytes in front of the seal: the identifiers of the station and of the visit, 16 each.
    private static let nameLength = 32

    public init(of visit: VisitID, at station: StationID, _ consent: StaffPhotoConsent) {
        self.station = station
        self.visit = visit
        seal = Array(Self.seal(visit, station, consent))
    }

    /// Reads the last part of a path; nil if it does not have the form of such a link.
    public init?(_ text: String) {
        guard text.utf8.count <= 128, let bytes = Base64URL(text)?.bytes,
            bytes.count == Self.nameLength + SHA256.byteCount,
            let station = StationID(octets: Array(bytes[..<16])),
            let visit = VisitID(octets: Array(bytes[16..<Self.nameLength]))
        else { return nil }
        self.station = station
        self.visit = visit
        seal = Array(bytes[Self.nameLength...])
    }

    /// The path of the link: ``folder``, and the names and the seal in Base64.
    public var path: String { Self.folder + Base64URL(Self.name(visit, station) + seal).text }

    /// Whether the consent allows what the link shows; compares in constant time.
    public func isSealed(by consent: StaffPhotoConsent) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            seal, authenticating: Self.name(visit, station), using: SymmetricKey(data: consent.secret.bytes))
    }

    private static func seal(
        _ visit: VisitID, _ station: StationID, _ consent: StaffPhotoConsent
    ) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(
            for: name(visit, station), using: SymmetricKey(data: consent.secret.bytes))
    }

    /// The bytes that are sealed.
    private static func name(_ visit: VisitID, _ station: StationID) -> [UInt8] {
        station.octets + visit.octets
    }
}

/// An owner's consent to show one photo to a venue's staff while the missing bike is there: a random secret that seals
/// the links to the photo. If the owner withdraws the consent, the secret is deleted, and the links stop working; a
/// later consent has another secret.
public struct StaffPhotoConsent: Hashable, Sendable {
    /// The 32 bytes of the secret.
    public let secret: SecretDigest

    public init(using generator: inout some RandomNumberGenerator) {
        secret = SecretDigest(of: generator.bytes(32))
    }

    package init(_ secret: SecretDigest) { self.secret = secret }
}
