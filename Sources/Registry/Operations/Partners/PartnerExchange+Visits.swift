import Beacons
import MissingList
package import RegistryAPI
import RegistryRules
import Synchronization

// Visits of stations.
extension PartnerExchange {
    /// The most requests of stations that wait for partners.
    private static let mostWaiting = 1000
    /// The most answers that are remembered.
    private static let mostAnswers = 10_000

    /// Makes a ticket for the visits whose beacons are on partners' lists; nil if none is. A ticket must be given to
    /// ``completed(_:_:)`` or ``close(_:)``.
    package func ticket(for visits: [Visit], of station: StationID) -> PartnerTicket? {
        state.withLock { state in
            guard !state.lists.isEmpty || !state.comingLists.isEmpty else { return nil }
            var forwards: [PartnerForward] = []
            var awaited: Set<ForwardName> = []
            for visit in visits {
                let hash = TruncatedHash(of: visit.identity)
                for partner in state.partners.keys where state.isListed(hash, by: partner) {
                    forwards.append(PartnerForward(partner: partner, visit: visit))
                    guard !state.slow.contains(partner), state.waiting < Self.mostWaiting else { continue }
                    awaited.insert(ForwardName(partner: partner, station: station, visit: visit.id))
                }
            }
            guard !forwards.isEmpty else { return nil }
            let ticket = PartnerTicket(forwards, of: station, awaiting: awaited)
            if !awaited.isEmpty { state.waiting += 1 }
            for name in awaited { state.tickets[name, default: []].append(ticket) }
            return ticket
        }
    }

    /// The results for a station, with those of partners in place of “ignored”. Waits for partners for at most
    /// ``PartnerRules/answerWait``; what they answer later, the station gets with the visit's next update.
    package func completed(_ results: VisitBatchResult, _ ticket: PartnerTicket) async -> VisitBatchResult {
        for partner in Set(ticket.forwards.map(\.partner)) { wake(partner) }
        await ticket.wait(atMost: PartnerRules.answerWait, sleep: sleep)
        // The next station does not wait until the attempt ends.
        let late = Set(ticket.pending.map(\.partner))
        if !late.isEmpty, !Task.isCancelled { state.withLock { $0.slow.formUnion(late) } }
        let answers = close(ticket).merging(ticket.results) { _, latest in latest }
        var results = results
        for index in results.results.indices where results.results[index].result == .ignored {
            if let id = results.results[index].id, let answer = answers[id] { results.results[index] = answer }
        }
        return results
    }

    /// Forgets a ticket, and returns what partners answered to earlier reports of its visits.
    package func close(_ ticket: PartnerTicket) -> [VisitID: VisitResult] {
        state.withLock { state in
            if !ticket.awaited.isEmpty { state.waiting -= 1 }
            for name in ticket.awaited {
                state.tickets[name]?.removeAll { $0 === ticket }
                if state.tickets[name]?.isEmpty == true { state.tickets[name] = nil }
            }
            var known: [VisitID: VisitResult] = [:]
            for forward in ticket.forwards {
                let name = ForwardName(partner: forward.partner, station: ticket.station, visit: forward.visit.id)
                if let answer = state.answers[name] { known[forward.visit.id] = answer }
            }
            return known
        }
    }

    /// Notes what a partner answered about visits, and passes it to the requests that wait for it.
    ///
    /// - Parameters:
    ///   - answers: the results; nil if the partner did not answer.
    ///   - isSlow: whether it took longer than ``PartnerRules/answerWait``, so that stations no longer wait for it.
    func note(_ answers: [(name: ForwardName, result: VisitResult?)], of partner: Int64, isSlow: Bool) {
        let tickets = state.withLock { state -> [(PartnerTicket, ForwardName, VisitResult?)] in
            if isSlow { state.slow.insert(partner) } else { state.slow.remove(partner) }
            var waiting: [(PartnerTicket, ForwardName, VisitResult?)] = []
            for (name, result) in answers {
                for ticket in state.tickets[name] ?? [] { waiting.append((ticket, name, result)) }
                guard let result else { continue }
                if state.answers.count >= Self.mostAnswers { state.answers.removeAll(keepingCapacity: true) }
                state.answers[name] = result.result == .stored ? result : nil
            }
            return waiting
        }
        for (ticket, name, result) in tickets { ticket.answer(name, result) }
    }
}
