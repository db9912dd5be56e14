import Foundation
import OperatingSystem
public import RegistryAPI
import Synchronization

/// What the station heard in quarters of an hour, until the registry has acknowledged it.
///
/// It is kept in memory, and in a file over a restart. If the machine loses power, the quarters since the last save are
/// lost: the registry then knows less about the station, and nothing false.
public final class CoverageJournal: Sendable {
    private struct State {
        var kept = KeptCoverage()
        /// The recovery steps of all radios until the last quarter.
        var recoveries = 0
        var isSaved = true
    }

    private let path: String?
    private let state: Mutex<State>

    /// The most bytes of the file that are read: enough for all quarters in JSON.
    private static let largestFile = 64 << 10

    /// - Parameter path: the file; nil to keep nothing over a restart. A damaged file counts as empty.
    public init(path: String? = nil) {
        self.path = path
        let kept = path.flatMap { Self.read($0) }
        state = Mutex(State(kept: kept ?? KeptCoverage()))
    }

    /// The quarters to send with the next heartbeat.
    public var due: [CoverageQuarter] { state.withLock(\.kept.due) }

    /// Notes that the registry has acknowledged quarters.
    func acknowledge(_ sent: [CoverageQuarter]) {
        state.withLock { $0.kept.remove(sent) }
    }

    /// Notes the current wall time, which decides when quarters are due.
    func note(_ time: Timestamp) {
        state.withLock { $0.kept.note(time) }
    }

    /// Adds what was heard in a quarter, or in a part of it.
    ///
    /// - Parameter recoveries: the recovery steps of all radios since the program started.
    func add(_ quarter: CoverageQuarter, recoveries: Int) {
        state.withLock { state in
            let restarts = max(0, recoveries - state.recoveries)
            state.recoveries = recoveries
            state.kept.add(
                CoverageQuarter(
                    begins: quarter.begins, listened: quarter.listened, adverts: quarter.adverts,
                    devices: quarter.devices, restarts: restarts, listAge: quarter.listAge))
            state.isSaved = false
        }
    }

    /// Writes the file if there is anything new.
    func save() throws {
        guard let path else { return }
        let kept = state.withLock { state -> KeptCoverage? in
            defer { state.isSaved = true }
            return state.isSaved ? nil : state.kept
        }
        guard let kept else { return }
        do {
            try DurableFile.put([UInt8](try JSONEncoder().encode(kept)), at: path)
        } catch {
            state.withLock { $0.isSaved = false }
            throw error
        }
    }

    /// The quarters in a file; nil if there is none, or it is damaged.
    private static func read(_ path: String) -> KeptCoverage? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: largestFile),
            let read = try? JSONDecoder().decode(KeptCoverage.self, from: bytes)
        else { return nil }
        // The file may hold anything: adding keeps order and limits.
        var kept = KeptCoverage()
        for quarter in read.quarters { kept.add(quarter) }
        if let latest = read.latest { kept.note(latest) }
        return kept
    }
}
