import CPostgreSQL
import Glibc

/// Finds the primary among the hosts.
///
/// libpq's `target_session_attrs=read-write` takes the first server that accepts writes, which may be an old primary
/// that was started again after its standby had been promoted. So all hosts are queried together.
enum PrimaryChoice {
    /// A connection to the primary, which its taker must close.
    struct Primary {
        let pointer: OpaquePointer
        let timeline: UInt32
        let host: ConnectionSettings.Host
    }

    /// How long to wait for the other hosts once a primary has replied.
    private static let patience = Duration.seconds(1)

    /// Connects to all hosts, and keeps the connection to the primary with the highest timeline.
    ///
    /// - Throws: ``PostgreSQLError`` of the kind `unavailable`, with the reply of each host.
    static func connect(
        _ settings: ConnectionSettings, within: Duration, timelines: Timelines
    ) throws -> Primary {
        let begin = ContinuousClock.now
        let candidates = try settings.hosts.map { try Candidate($0, settings) }
        ask(candidates, until: begin + within)
        var best: (candidate: Candidate, timeline: UInt32)?
        for candidate in candidates {
            guard let timeline = candidate.timeline else { continue }
            // The first of several with the same timeline: a host may be named twice.
            if timeline > best?.timeline ?? 0 { best = (candidate, timeline) }
        }
        guard let best else {
            throw PostgreSQLError.unavailable(
                "no primary: \(candidates.map(\.summary).joined(separator: "; "))",
                candidates.lazy.compactMap(\.problem).first)
        }
        guard timelines.accept(best.timeline, askedAt: begin), let pointer = best.candidate.take() else {
            throw PostgreSQLError.unavailable(
                "only an old primary answers (timeline \(best.timeline), but \(timelines.highest) has been seen): "
                    + candidates.map(\.summary).joined(separator: "; "))
        }
        return Primary(pointer: pointer, timeline: best.timeline, host: best.candidate.host)
    }

    /// Lets all candidates proceed until each has replied or failed, or the deadline has passed.
    static func ask(_ candidates: [Candidate], until deadline: ContinuousClock.Instant) {
        var end = deadline
        while ContinuousClock.now < end {
            let waiting = candidates.filter(\.isWaiting)
            guard !waiting.isEmpty else { return }
            if waiting.count < candidates.count, candidates.contains(where: { $0.timeline != nil }) {
                end = min(end, .now + patience)
            }
            var entries = waiting.map { pollfd(fd: $0.socket, events: $0.events, revents: 0) }
            let count = poll(&entries, nfds_t(entries.count), Link.milliseconds(until: end))
            guard count >= 0 || errno == EINTR else { break }
            for (candidate, entry) in zip(waiting, entries) where entry.revents != 0 { candidate.proceed() }
        }
        for candidate in candidates where candidate.isWaiting { candidate.fail("no answer in time") }
    }
}
