/// Another registry whose stations search for this registry's bikes, and the other way round, as operators see it.
public struct Partner: Codable, Hashable, Sendable {
    public var id: PartnerID
    /// The name that this registry's operators have given it, 1–32 characters. Owners read it in alerts.
    public var name: String
    public var state: State
    /// Its address; absent until the invitation is accepted.
    public var url: String?
    /// The SHA-256 of each of its pinned signing keys, 64 hexadecimal digits. Visits are addressed to the last one.
    public var fingerprints: [String]
    public var limits: PartnerLimits
    public var created: Timestamp
    /// The end of the invitation; absent once it is accepted.
    public var expires: Timestamp?
    /// When an operator of this registry suspended the partnership; absent unless it is suspended.
    public var suspended: Timestamp?
    /// The end of the code for a new token, also when it is past; absent unless an operator of this registry has ended
    /// the partner's token, and the partner has no new one yet.
    public var renewal: Timestamp?
    /// The partner's missing list, as this registry last read it; absent before.
    public var list: List?
    /// What this registry's stations heard of the partner's bikes.
    public var sent: Sent
    /// What the partner's stations heard of this registry's bikes.
    public var received: Received

    /// How far a partnership has come.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        /// The invitation waits for the other registry.
        case invited
        case active
        case suspended
    }

    /// The state of a partner's missing list.
    public struct List: Codable, Hashable, Sendable {
        /// The number of hashes; a rotating beacon has 190.
        public var entries: Int
        /// The last time at which the partner confirmed it.
        public var checked: Timestamp?
        /// Why the last attempt to read it failed; absent if it succeeded.
        public var failure: String?

        public init(entries: Int, checked: Timestamp?, failure: String?) {
            self.entries = entries
            self.checked = checked
            self.failure = failure
        }
    }

    /// The visits that wait for the partner, and what became of the others.
    public struct Sent: Codable, Hashable, Sendable {
        public var waiting: Int
        public var stored: Int
        public var ignored: Int
        public var refused: Int
        /// Why the last attempt to send failed; absent if it succeeded.
        public var failure: String?

        public init(waiting: Int = 0, stored: Int = 0, ignored: Int = 0, refused: Int = 0, failure: String? = nil) {
            self.waiting = waiting
            self.stored = stored
            self.ignored = ignored
            self.refused = refused
            self.failure = failure
        }
    }

    /// The partner's stations, and the sightings that the registry has of them.
    public struct Received: Codable, Hashable, Sendable {
        public var stations: Int

        public init(stations: Int = 0) { self.stations = stations }
    }

    public init(
        id: PartnerID, name: String, state: State, url: String? = nil, fingerprints: [String] = [],
        limits: PartnerLimits = PartnerLimits(), created: Timestamp, expires: Timestamp? = nil,
        suspended: Timestamp? = nil, renewal: Timestamp? = nil, list: List? = nil, sent: Sent = Sent(),
        received: Received = Received()
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.url = url
        self.fingerprints = fingerprints
        self.limits = limits
        self.created = created
        self.expires = expires
        self.suspended = suspended
        self.renewal = renewal
        self.list = list
        self.sent = sent
        self.received = received
    }
}

/// How much a registry takes from a partner.
public struct PartnerLimits: Codable, Hashable, Sendable {
    /// The most hashes on the partner's missing list, 0…1,000,000. A longer list is refused, and the last one stays.
    public var listed: Int
    /// The most visits in an hour, 0…1,000,000. Further ones wait at the partner.
    public var visits: Int

    /// The bounds of both limits.
    public static let bounds = 0...1_000_000

    public init(listed: Int = 200_000, visits: Int = 10_000) {
        self.listed = listed
        self.visits = visits
    }
}

/// Body of `POST /v1/partners/invitations`.
public struct PartnerInvitationDraft: Codable, Hashable, Sendable {
    public var name: String

    public init(name: String) { self.name = name }
}

/// Response to `POST /v1/partners/invitations` and `POST /v1/partners/{id}/renewal`. The code is shown only once, works
/// only once and expires.
public struct PartnerInvitation: Codable, Hashable, Sendable {
    public var id: PartnerID
    /// The address at which the other registry reaches this one: its `publicURL`.
    public var url: String
    public var code: String
    public var expires: Timestamp

    public init(id: PartnerID, url: String, code: String, expires: Timestamp) {
        self.id = id
        self.url = url
        self.code = code
        self.expires = expires
    }
}

/// Body of `POST /v1/partners`: the operator accepts another registry's invitation.
public struct PartnerAcceptance: Codable, Hashable, Sendable {
    /// The address of the registry that sent the invitation.
    public var url: String
    public var code: String
    public var name: String

    public init(url: String, code: String, name: String) {
        self.url = url
        self.code = code
        self.name = name
    }
}

/// Body of `PATCH /v1/partners/{id}`: absent fields stay unchanged.
public struct PartnerPatch: Codable, Hashable, Sendable {
    public var name: String?
    public var limits: PartnerLimits?
    public var suspended: Bool?
    /// A signing key of the partner, in PEM, to pin after the others. If it is pinned already, it becomes the last one.
    public var publicKey: String?

    public init(
        name: String? = nil, limits: PartnerLimits? = nil, suspended: Bool? = nil, publicKey: String? = nil
    ) {
        self.name = name
        self.limits = limits
        self.suspended = suspended
        self.publicKey = publicKey
    }
}

/// Body of `POST /v1/partner/acceptance`, which the accepting registry sends to the inviting one; and the response,
/// without a code.
public struct PartnerOffer: Codable, Hashable, Sendable {
    /// The inviting registry's code.
    public var code: String?
    /// The sender's own address.
    public var url: String
    /// The token for the receiver's calls to the sender.
    public var token: String
    /// The sender's signing key in PEM.
    public var publicKey: String
    /// The proof that the sender holds this key: its Ed25519 signature over the offer, 128 hexadecimal digits. The text
    /// that is signed is in `docs/design/partner-registries.md`.
    public var proof: String

    public init(code: String? = nil, url: String, token: String, publicKey: String, proof: String) {
        self.code = code
        self.url = url
        self.token = token
        self.publicKey = publicKey
        self.proof = proof
    }
}

extension PartnerLimits: WireObject {
    public static let blank = PartnerLimits()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("listed", &listed, .integer(Self.bounds))
        fields.required("visits", &visits, .integer(Self.bounds))
    }
}

extension PartnerInvitationDraft: WireObject {
    public static let blank = PartnerInvitationDraft(name: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("name", &name, .partnerName) }
}

extension PartnerAcceptance: WireObject {
    public static let blank = PartnerAcceptance(url: "", code: "", name: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("url", &url, .text(1...256))
        fields.required("code", &code, .text(1...64))
        fields.required("name", &name, .partnerName)
    }
}

extension PartnerPatch: WireObject {
    public static let blank = PartnerPatch()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("name", &name, .partnerName)
        fields.optional("limits", &limits, .object())
        fields.optional("suspended", &suspended, .boolean)
        fields.optional("publicKey", &publicKey, .publicKey)
    }
}

extension PartnerOffer: WireObject {
    public static let blank = PartnerOffer(url: "", token: "", publicKey: "", proof: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("code", &code, .text(1...64))
        fields.required("url", &url, .text(1...256))
        fields.required("token", &token, .text(1...128))
        fields.required("publicKey", &publicKey, .publicKey)
        fields.required("proof", &proof, .text(128...128))
    }
}

extension ValueRule where Self == TextRule {
    fileprivate static var partnerName: TextRule { .text(1...32) }
    fileprivate static var publicKey: TextRule { .text(1...200, multiline: true) }
}
