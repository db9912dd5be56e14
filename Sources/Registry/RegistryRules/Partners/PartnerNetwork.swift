public import MissingList
public import RegistryAPI
import Syntax

/// How a registry calls others: HTTP, or a double in tests.
public protocol PartnerNetwork: Sendable {
    /// Accepts the invitation of the registry at an address.
    ///
    /// - Returns: that registry's own offer.
    func accept(_ offer: PartnerOffer, at url: String) async throws(PartnerFailure) -> PartnerOffer

    /// Makes the connections to a partner. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - token: this registry's token at the partner.
    ///   - mostListed: the most hashes on its list; a longer answer is not read.
    func connect(
        to url: String, token: String, mostListed: Int
    ) throws(PartnerFailure) -> any PartnerConnection
}

/// The connections to one partner. Reading lists, sending visits and checking numbers do not wait for each other.
public protocol PartnerConnection: Sendable {
    /// The partner's missing list, or its changes; nil if it is unchanged.
    ///
    /// - Parameters:
    ///   - version: what the caller has; nil for the whole list.
    ///   - wait: how long the partner may wait for a change.
    func list(after version: ListVersion?, wait: Duration) async throws(PartnerFailure) -> ListMessage?

    /// Sends visits, and returns a result for each, in their order.
    func send(_ batch: ForwardedBatch) async throws(PartnerFailure) -> [VisitResult]

    /// What the partner shows anybody about itself.
    func description() async throws(PartnerFailure) -> RegistryDescription

    /// The hidden numbers of its missing bikes that buyers can check.
    func numbers() async throws(PartnerFailure) -> SharedNumbers

    /// Hides a number that this registry has hidden by the partner's key, too.
    func check(_ number: HiddenNumber) async throws(PartnerFailure) -> HiddenNumber
}

/// Why a call to a partner failed.
public struct PartnerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line, at most 300 Unicode scalars: it may quote the partner.
    public let description: String
    /// How long the partner asks to wait.
    public let retryAfter: Duration?

    public init(_ description: String, retryAfter: Duration? = nil) {
        self.description = description.line(atMost: 300)
        self.retryAfter = retryAfter
    }
}
