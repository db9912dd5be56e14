import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import Synchronization

/// The hidden numbers of partners' missing bikes, for comparison with buyers' checks.
///
/// Neither registry learns a number of the other: a check shows the partner a point that a key of this process hides,
/// and the partner's list consists of points that its own key hides.
final class PartnerNumbers: Sendable {
    /// A partner's list, as this registry's key hides it again.
    struct List: Sendable {
        let partner: ActivePartner
        let connection: any PartnerConnection
        /// This process's key for the list.
        let hiding: NumberHiding
        /// The numbers, hidden by both keys.
        let exact: Set<NumberHiding.Point>
        /// The numbers as somebody may have misread them (``BikeNumber/folded``), hidden by both keys.
        let folded: Set<NumberHiding.Point>
        /// When it was read, and the key was made.
        let read: Timestamp
    }

    private struct State {
        /// The list of each partner, by the partner's key.
        var lists: [Int64: List] = [:]
        /// Until when a partner is not asked, by its key.
        var pauses: [Int64: Timestamp] = [:]
        /// The number of checks that ask partners now.
        var asking = 0
    }

    private let state = Mutex(State())

    /// The most checks that ask partners at a time.
    private static let mostAsking = 50
    /// How long a partner is not asked after it did not answer, or not in time.
    private static let pause = Duration.seconds(30)
    /// The longest pause that a partner can ask for.
    private static let longestAsked = Duration.seconds(3600)
    /// The time after which a list, and its key, are no longer used: a partner that does not let its list be read again
    /// must not recognise a number for longer.
    private static let longest = Duration.seconds(1200)

    /// Replaces the list of its partner.
    func set(_ list: List) { state.withLock { $0.lists[list.partner.key] = list } }

    func forget(_ partner: Int64) {
        state.withLock { state in
            state.lists[partner] = nil
            state.pauses[partner] = nil
        }
    }

    func pause(_ partner: Int64, until time: Timestamp) { state.withLock { $0.pauses[partner] = time } }

    /// Compares a number with the lists of partners.
    ///
    /// - Returns: the partners that miss such a bike, and the names of those that could not be asked.
    func check(
        _ number: BikeNumber, among partners: [ActivePartner], clock: WallClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async -> (found: [NumberElsewhere], unasked: [String]) {
        let isAdmitted = state.withLock { state in
            guard state.asking < Self.mostAsking else { return false }
            state.asking += 1
            return true
        }
        guard isAdmitted else { return ([], partners.map(\.name).sorted()) }
        defer { state.withLock { $0.asking -= 1 } }
        let lists = usableLists(at: clock.now)
        let answers = await askAll(
            partners.compactMap { lists[$0.key] }, about: number, clock: clock, sleep: sleep)
        let ordered = partners.sorted { $0.name < $1.name }
        let found: [NumberElsewhere] = ordered.compactMap { partner in
            switch answers[partner.key] {
            case .exact: NumberElsewhere(registry: partner.name, url: partner.url)
            case .similar: NumberElsewhere(registry: partner.name, url: partner.url, similar: true)
            case .nothing, .unknown, nil: nil
            }
        }
        return (found, ordered.filter { [.unknown, nil].contains(answers[$0.key]) }.map(\.name))
    }

    /// The lists of partners that may be asked now, by their keys.
    private func usableLists(at now: Timestamp) -> [Int64: List] {
        state.withLock { state in
            state.lists.filter { key, list in
                let isPaused = (state.pauses[key] ?? now) > now
                let age = list.read.duration(to: now)
                // A clock that was set back must not keep a key.
                return !isPaused && age <= Self.longest && age >= Duration.zero - Self.longest
            }
        }
    }

    /// Asks partners at the same time, for at most ``PartnerRules/answerWait``.
    ///
    /// - Returns: the answers that came in time, by the partners' keys.
    private func askAll(
        _ asked: [List], about number: BikeNumber, clock: WallClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async -> [Int64: Answer] {
        var answers: [Int64: Answer] = [:]
        await withTaskGroup(of: (key: Int64, answer: Answer)?.self) { group in
            for list in asked {
                group.addTask { (list.partner.key, await self.ask(list, number, clock)) }
            }
            group.addTask {
                try? await sleep(PartnerRules.answerWait)
                return nil
            }
            while answers.count < asked.count, let next = await group.next(), let (key, answer) = next {
                answers[key] = answer
            }
            group.cancelAll()
        }
        // One that is slow must not make every check wait. If the buyer has left, no partner was slow.
        for list in asked where answers[list.partner.key] == nil && !Task.isCancelled {
            pause(list.partner.key, until: clock.now.advanced(by: Self.pause))
        }
        return answers
    }

    /// Whether a partner misses a bike with a number; `unknown` if it could not be asked.
    private enum Answer: Hashable {
        case exact, similar, nothing, unknown
    }

    /// Has a partner hide a number, and looks for the result in its list.
    private func ask(_ list: List, _ number: BikeNumber, _ clock: WallClock) async -> Answer {
        guard !list.folded.isEmpty else { return .nothing }
        guard let (exact, folded) = list.hiding.hide(number) else { return .unknown }
        let hidden = HiddenNumber(exact: NumberHiding.text(exact), folded: NumberHiding.text(folded))
        do {
            let answer = try await list.connection.check(hidden)
            if let exact = NumberHiding.point(hexadecimal: answer.exact), list.exact.contains(exact) { return .exact }
            if let folded = NumberHiding.point(hexadecimal: answer.folded), list.folded.contains(folded) {
                return .similar
            }
            return .nothing
        } catch {
            if !Task.isCancelled {
                let wait = max(Self.pause, min(error.retryAfter ?? .zero, Self.longestAsked))
                pause(list.partner.key, until: clock.now.advanced(by: wait))
            }
            return .unknown
        }
    }
}

/// Reads the hidden numbers of a partner's missing bikes from time to time, and hides them by a new key each time.
struct PartnerNumberReading {
    let exchange: PartnerExchange
    let partner: ActivePartner
    let connection: any PartnerConnection

    private static let interval = Duration.seconds(900)

    /// Reads until the partner or its terms have changed.
    func run() async {
        var backoff = PartnerBackoff()
        defer { exchange.numbers.forget(partner.key) }
        await exchange.keepReading(
            partner, every: Self.interval, failure: "a partner’s hidden numbers were not read"
        ) {
            try await read()
            backoff.succeeded()
        } pause: {
            backoff.failed($0)
        }
    }

    /// Reads the numbers once.
    func read() async throws {
        let shared = try await connection.numbers()
        guard max(shared.exact.count, shared.folded.count) <= PartnerRules.mostNumbers else {
            throw PartnerFailure("it has more than \(PartnerRules.mostNumbers) hidden numbers")
        }
        var entropy = exchange.entropy
        let hiding = NumberHiding(key: entropy.bytes(32))
        // For thousands of numbers, this takes as long as several requests.
        let (exact, folded) = try await exchange.longWork.run {
            (Self.hidden(shared.exact, by: hiding), Self.hidden(shared.folded, by: hiding))
        }
        exchange.numbers.set(
            PartnerNumbers.List(
                partner: partner, connection: connection, hiding: hiding, exact: exact, folded: folded,
                read: exchange.clock.now))
    }

    /// What a partner has hidden, hidden by this process's key, too.
    private static func hidden(_ points: [String], by hiding: NumberHiding) -> Set<NumberHiding.Point> {
        Set(points.compactMap { NumberHiding.point(hexadecimal: $0).flatMap(hiding.hide) })
    }
}
