import Evidence
import RegistryAPI

// Other registries.
extension Example {
    private static let publicKey = PublicKey(bytes: Array(repeating: 7, count: 32))

    static let partner = Partner(
        id: id(20), name: "Fahrradregister Zürich", state: .active, url: "https://registry.example.net",
        fingerprints: publicKey.map { ["\($0.fingerprint)"] } ?? [], created: noon,
        list: Partner.List(entries: 412, checked: noon, failure: nil),
        sent: Partner.Sent(waiting: 1, stored: 17), received: Partner.Received(stations: 5))

    /// A partner while a renewal is open.
    static var partnerInRenewal: Partner {
        var partner = partner
        partner.renewal = evening
        return partner
    }

    static let partnerInvitation = PartnerInvitation(
        id: partner.id, url: "https://registry.example.org", code: code, expires: evening)

    static let partnerTerms = PartnerOffer(
        url: "https://registry.example.org", token: token("partner"), publicKey: publicKey?.pem ?? "",
        proof: String(repeating: "0", count: 128))

    static var partnerOffer: PartnerOffer {
        var offer = partnerTerms
        offer.code = code
        offer.url = "https://registry.example.net"
        return offer
    }

    static let sharedNumbers = SharedNumbers(exact: [hiddenNumber.exact], folded: [hiddenNumber.folded])

    static let hiddenNumber = HiddenNumber(
        exact: "09" + String(repeating: "0", count: 62), folded: "09" + String(repeating: "0", count: 62))

    static let forwardedBatch = ForwardedBatch(
        visits: [
            SignedVisit(
                statement: SignedVisit.title + "\n"
                    + #"{"to":"…","received":"2026-11-21T12:00:01Z","station":{…},"visit":{…}}"#,
                signature: String(repeating: "0", count: 128))
        ])
}
