package import RegistryAPI
package import RegistryRules
import RegistrySQL

// Messages to a single channel, and the responses of its reader.
extension RegistryOperations {
    /// Sends a test message now, and reports the result.
    package func testChannel(_ id: ChannelID, of owner: OwnerID) async throws -> ChannelTestResult {
        let linked = try await linkedChannel(id, of: owner)
        guard linked.channel.verified != nil else { throw DomainError.channelUnverified }
        try await store.noteTest(of: owner, at: clock.now)
        guard let notifier = notifiers.first(where: { $0.kind == linked.channel.kind }) else {
            return ChannelTestResult(delivered: false, detail: "This registry does not serve this kind of channel.")
        }
        let result = ChannelTestResult(await Self.deliver(testAlert(for: linked), by: notifier))
        // A later look at the channel must show the result of the latest message, this one included.
        try await store.noteOutcome(ofTest: linked, error: result.delivered ? nil : result.detail)
        return result
    }

    /// The maximum time that a caller waits for the result of a test.
    private static let patience = Duration.seconds(8)

    /// Makes one attempt, which is cancelled after the time that a caller waits. It can take longer to end, since a
    /// name look-up cannot be cancelled.
    private static func deliver(_ alert: ClaimedAlert, by notifier: any Notifier) async -> DeliveryResult {
        // The result or the deadline ends the stream, whichever comes first.
        let (results, result) = AsyncStream.makeStream(of: DeliveryResult.self)
        let attempt = Task {
            result.yield(await notifier.deliver(alert))
            result.finish()
        }
        let overdue = Task {
            try await Task.sleep(for: Self.patience)
            result.finish()
        }
        defer {
            attempt.cancel()
            overdue.cancel()
        }
        for await first in results { return first }
        return .retry(after: nil, reason: "the receiver did not answer within 8 seconds")
    }

    /// The alert that a test delivers. It is not stored.
    private func testAlert(for linked: LinkedChannel) -> ClaimedAlert {
        var entropy = entropy
        let channel = linked.channel
        let notice = OwnerNotice(.channelTest, subject: "\(channel.kind.rawValue) \(channel.id)")
        return ClaimedAlert(
            id: AlertID(at: clock.now, using: &entropy), owner: linked.owner, attempt: 1, created: clock.now,
            channel: ClaimedAlert.Target(
                id: channel.id, kind: channel.kind, address: channel.address, secret: linked.secret,
                coordinates: channel.coordinates, settings: linked.settings
            ),
            content: .notice(notice), reader: linked.reader
        )
    }

    /// Sends another verification message to an e-mail address.
    package func askChannel(_ id: ChannelID, of owner: OwnerID) async throws {
        let linked = try await linkedChannel(id, of: owner)
        guard let question = verification(of: linked.channel, linked.secret, at: clock.now) else {
            throw DomainError.channelVerified
        }
        try await store.ask(question, of: id, of: owner, at: clock.now)
    }

    /// The messages sent to a channel, the latest first.
    package func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) async throws -> StoredPage<ChannelDelivery, AlertID> {
        _ = try await self.channel(channel, of: owner)
        return try await store.deliveries(to: channel, of: owner, page)
    }

    /// The channel that a link in a message belongs to.
    ///
    /// - Throws: `codeUnusable` for every invalid link.
    package func channel(
        _ id: ChannelID, by code: String, for purpose: ChannelCode.Purpose
    ) async throws -> LinkedChannel {
        guard let linked = try await store.linkedChannel(id) else { throw DomainError.codeUnusable }
        let right = ChannelCode(purpose, of: id, at: linked.channel.address, secret: linked.secret)
        guard right.accepts(code, at: clock.now) else { throw DomainError.codeUnusable }
        return linked
    }

    /// Does what the reader of a message requests: confirms the address, or stops the messages to it.
    ///
    /// - Throws: `codeUnusable` for every invalid link.
    package func answer(_ purpose: ChannelCode.Purpose, for id: ChannelID, by code: String) async throws {
        let linked = try await channel(id, by: code, for: purpose)
        switch purpose {
        case .verification: try await store.verify(linked, at: clock.now)
        case .unsubscription:
            try await store.unsubscribe(linked, at: clock.now, using: entropy)
        }
    }

    /// A channel of this owner, with its secret.
    ///
    /// - Throws: `notFound`.
    private func linkedChannel(_ id: ChannelID, of owner: OwnerID) async throws -> LinkedChannel {
        guard let linked = try await store.linkedChannel(id), linked.owner == owner else {
            throw DomainError.notFound("channel")
        }
        return linked
    }
}

extension ChannelTestResult {
    fileprivate init(_ result: DeliveryResult) {
        switch result {
        case .delivered, .deliveredBy: self.init(delivered: true, detail: "The message was accepted.")
        case .retry(_, let reason), .giveUp(let reason), .gone(let reason):
            self.init(delivered: false, detail: reason.prefix(1).uppercased() + reason.dropFirst() + ".")
        }
    }
}
