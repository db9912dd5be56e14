import Evidence
import Foundation
import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQL
import Syntax

/// Sends a partner the visits that wait for it, at least once each.
struct PartnerSending {
    let exchange: PartnerExchange
    let partner: ActivePartner
    let connection: any PartnerConnection

    /// The time after which visits are sent again if this process ends in the middle.
    private static let lease = Duration.seconds(60)
    /// How often to look for visits that another process has stored.
    private static let interval = Duration.seconds(1)

    /// Sends visits until the partner or its terms have changed.
    func run() async {
        let wake = exchange.wakeUp(of: partner.key)
        var backoff = PartnerBackoff()
        while !Task.isCancelled, exchange.isCurrent(partner) {
            do {
                let sent = try await sendDue(&backoff)
                if sent == .nothing { await wake.wait(atMost: Self.interval, sleep: exchange.sleep) }
            } catch {
                guard !Task.isCancelled else { return }
                exchange.logger.error(
                    "visits for a partner cannot be read",
                    metadata: ["partner": "\(partner.name)", "error": "\(error)"])
                try? await exchange.sleep(Self.interval)
            }
        }
    }

    /// What became of the visits that were due; `nothing` if there were none.
    enum Outcome { case nothing, sent, failed }

    /// Sends the visits that are due, at most ``ForwardedBatch/maximumCount``. After failures it sends fewer: a batch
    /// may be larger than the partner's limit, or have one visit that the partner cannot read.
    func sendDue(_ backoff: inout PartnerBackoff) async throws -> Outcome {
        let now = exchange.clock.now
        let waiting = try await exchange.store.claimForwards(
            for: partner.key, limit: ForwardedBatch.maximumCount >> backoff.failures, at: now,
            leaseUntil: now.advanced(by: Self.lease))
        guard !waiting.isEmpty else { return .nothing }
        let begin = ContinuousClock.now
        do {
            let batch = ForwardedBatch(visits: try waiting.map(signed))
            let results = try await connection.send(batch)
            guard results.map(\.id) == waiting.map(\.visit.id) else {
                throw PartnerFailure("its results do not match the \(waiting.count) visits")
            }
            try await exchange.store.settleForwards(
                zip(waiting, results).map { ($0, $1.result) }, of: partner.key, at: exchange.clock.now)
            note(waiting, results, isSlow: begin.duration(to: .now) > PartnerRules.answerWait)
            backoff.succeeded()
            return .sent
        } catch {
            note(waiting, waiting.map { _ in nil }, isSlow: true)
            // What was claimed is sent again after the lease.
            guard !Task.isCancelled else { return .failed }
            let pause = backoff.failed(error)
            exchange.logger.warning(
                "visits were not sent to a partner",
                metadata: ["partner": "\(partner.name)", "reason": "\(error)", "retryIn": "\(pause)"])
            let later = exchange.clock.now
            try await exchange.store.postponeForwards(
                waiting, of: partner.key, until: later.advanced(by: pause), failure: "\(error)")
            return .failed
        }
    }

    private func note(_ waiting: [WaitingForward], _ results: [VisitResult?], isSlow: Bool) {
        let answers = zip(waiting, results).map { forward, result in
            (
                name: ForwardName(partner: partner.key, station: forward.station, visit: forward.visit.id),
                result: result.map(withoutForeignPhoto)
            )
        }
        exchange.note(answers, of: partner.key, isSlow: isSlow)
    }

    /// The answer without a photo from another address than the partner's, and without errors, which may quote
    /// anything.
    private func withoutForeignPhoto(_ result: VisitResult) -> VisitResult {
        var result = result
        result.errors = nil
        if let photo = result.lookFor?.photo, isForeign(photo) { result.lookFor?.photo = nil }
        return result
    }

    /// Whether a URL does not begin with the partner's address. The partner may write its address in another form, such
    /// as with a host in capitals.
    private func isForeign(_ url: String) -> Bool {
        let own = partner.url + "/"
        return !url.begins(with: own) && PartnerAddress(url)?.url.begins(with: own) != true
    }

    /// The visit as a signed statement for the partner.
    func signed(_ forward: WaitingForward) throws -> SignedVisit {
        guard let key = partner.publicKeys.last.flatMap({ PublicKey(pem: $0) }) else {
            throw PartnerFailure("no signing key of it is pinned")
        }
        let station = ForwardingStation(
            id: Self.pseudonym(of: forward.station, at: partner), name: forward.name, mobile: forward.isMobile,
            place: forward.place)
        let visit = ForwardedVisit(
            to: "\(key.fingerprint)", received: forward.received, station: station, visit: forward.visit)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let statement = SignedVisit.title + "\n" + String(decoding: try encoder.encode(visit), as: UTF8.self)
        return SignedVisit(
            statement: statement, signature: Hexadecimal.text(try exchange.keyring.sign(Array(statement.utf8))))
    }

    /// The identifier under which a partner knows a station: the same for all its visits, and another for each partner.
    static func pseudonym(of station: StationID, at partner: ActivePartner) -> StationID {
        let digest = SecretDigest(of: partner.pseudonyms + Array("\(station)".utf8)).bytes
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return StationID(high: word(digest[0..<8]), low: word(digest[8..<16]))
    }
}
