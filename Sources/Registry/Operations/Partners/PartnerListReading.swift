import Logging
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL

/// Keeps a partner's missing list, by the stations' own protocol.
struct PartnerListReading {
    let exchange: PartnerExchange
    let partner: ActivePartner
    let connection: any PartnerConnection

    /// How long the partner may wait for a change.
    private static let wait = Duration.seconds(60)
    /// The time that the process that reads the list keeps this task for itself. Two that read it harm nothing.
    private static let lease = Duration.seconds(75)
    /// The shortest pause after a change.
    private static let pause = Duration.seconds(1)
    /// The pause of a process that is not the one that reads the list, and of one whose partner has restarted.
    private static let longerPause = Duration.seconds(10)
    /// The time in which as many hashes may come and go as the list may have: the journal of changes keeps them for a
    /// week, and stations get them.
    private static let turnover = Duration.seconds(1800)
    /// The bytes of lists that a partner can make this registry store: 200 kB a second.
    private static let bytesPerMillisecond = 200

    /// Keeps the list until the partner or its terms have changed.
    func run() async {
        var backoff = PartnerBackoff()
        var needsAll = false
        // Whether the partner has answered since this task began, and since the last failure.
        var hasAnswered = false
        while !Task.isCancelled, exchange.isCurrent(partner) {
            var pause = Self.pause
            do {
                let now = exchange.clock.now
                let isReader = try await exchange.store.leasePartnerList(
                    partner.key, to: exchange.reader, until: now.advanced(by: Self.lease), at: now)
                if isReader {
                    let begin = ContinuousClock.now
                    // After a failure, the operator must not read of it until the end of a wait.
                    if let change = try await ask(wait: hasAnswered ? Self.wait : .zero, needsAll: &needsAll) {
                        backoff.succeeded()
                        pause = self.pause(after: change)
                    } else if hasAnswered {
                        // A partner that does not wait must not be asked again and again.
                        let isEarly = begin.duration(to: .now) < Self.wait / 2
                        if isEarly { pause = backoff.failed() } else { backoff.succeeded() }
                    }
                    hasAnswered = true
                } else {
                    // The process that reads the list may note a failure.
                    hasAnswered = false
                    pause = Self.longerPause
                }
            } catch {
                guard !Task.isCancelled else { return }
                hasAnswered = false
                pause = backoff.failed(error)
                await noteFailure("\(error)")
            }
            try? await exchange.sleep(pause)
        }
    }

    /// A new version of the list.
    struct Change {
        /// Whether no list was known before.
        let isFirst: Bool
        /// The number of hashes that came and went.
        let hashes: Int
        /// The number of bytes that were stored.
        let bytes: Int
    }

    /// Asks once for changes, and stores them.
    ///
    /// - Parameters:
    ///   - wait: how long the partner may wait for a change. It does not wait if it is asked for the whole list.
    ///   - needsAll: whether to ask for the whole list; set if changes do not fit the stored list.
    /// - Returns: nil if nothing changed.
    /// - Throws: ``PartnerFailure``, and the errors of the store.
    func ask(wait: Duration, needsAll: inout Bool) async throws -> Change? {
        let known = exchange.list(of: partner.key)
        let asksForAll = known == nil || needsAll
        let message = try await connection.list(
            after: asksForAll ? nil : known?.version, wait: asksForAll ? .zero : wait)
        guard let message else {
            try await exchange.store.noteListCheck(ofPartner: partner.key, failure: nil, at: exchange.clock.now)
            return nil
        }
        let list: MissingIdentities
        do {
            switch message {
            case .full(let full): list = full
            case .delta(let delta): list = try (known ?? .empty).applying(delta)
            }
        } catch {
            needsAll = true
            throw PartnerFailure("\(error)")
        }
        needsAll = false
        guard list.count <= partner.limits.listed else {
            throw PartnerFailure("its list has \(list.count) entries, more than its limit of \(partner.limits.listed)")
        }
        let changes = HashChanges(from: (known ?? .empty).hashes, to: list.hashes)
        // Stations may get it in the moment in which it is committed, and hear its bikes.
        exchange.setComingList(list, of: partner.key)
        defer { exchange.setComingList(nil, of: partner.key) }
        guard
            try await exchange.store.replacePartnerList(
                known?.version, with: list, changes, of: partner.key, at: exchange.clock.now)
        else {
            await exchange.refresh()
            throw PartnerFailure(
                "its list was not taken: another process has read it, or the lists of all partners have more than "
                    + "\(PartnerRules.mostListed) entries")
        }
        exchange.setList(list, of: partner.key)
        return Change(isFirst: known == nil, hashes: changes.count, bytes: list.encoded.count)
    }

    /// The pause after a change, in proportion to what it makes the registry and its stations store.
    func pause(after change: Change) -> Duration {
        // Its registry has restarted. One that always has new versions must not be asked all the time.
        guard change.isFirst || change.hashes > 0 else { return Self.longerPause }
        // A first list comes once: after joining, or when an operator has resumed the partner.
        let turned = change.isFirst ? 0 : Double(change.hashes) / Double(max(1, partner.limits.listed))
        let forHashes = Self.turnover * min(1, turned)
        let forBytes = Duration.milliseconds(change.bytes / Self.bytesPerMillisecond)
        return max(Self.pause, forHashes, forBytes)
    }

    /// Notes a failure, and drops a list that the partner has not confirmed for long.
    private func noteFailure(_ failure: String) async {
        let now = exchange.clock.now
        exchange.logger.warning(
            "a partner’s missing list was not read", metadata: ["partner": "\(partner.name)", "reason": "\(failure)"])
        try? await exchange.store.noteListCheck(ofPartner: partner.key, failure: failure, at: now)
        guard let list = exchange.list(of: partner.key), list.count > 0, let checked = exchange.checked(partner.key),
            checked.duration(to: now) > PartnerRules.longestUnconfirmed
        else { return }
        let changes = HashChanges(removed: Array(list.hashes))
        let isReplaced = try? await exchange.store.replacePartnerList(
            list.version, with: .empty, changes, of: partner.key, at: now)
        if isReplaced == true { exchange.setList(.empty, of: partner.key) }
    }
}
