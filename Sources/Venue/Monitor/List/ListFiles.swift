import Foundation
import MissingList
import OperatingSystem
import Synchronization

/// The steps at each of which a crash must leave a valid list on disk: tests stop the process at each of them.
public enum ListFileStep: CaseIterable, Sendable {
    /// Half of a list is written to a temporary file.
    case halfWritten
    /// The list is on disk, but not yet renamed.
    case written
    /// The list is in its place; changes to the previous list still exist.
    case replaced
    /// Half of a change is written.
    case halfAppended
    /// The change is on disk.
    case appended
}

/// The missing list on disk, so that a station without a network can match beacons after a restart.
///
/// It has two files: a full list as the registry sends it, and changes to it, each preceded by its length in 4 bytes,
/// so that the whole list is not written to the memory card again for every bike. Invalid content, such as the remains
/// of a crash, is ignored. The resulting list is always one that the registry had, and the next request updates it.
///
/// Long writes wear the memory card, and a registry could cause one with each response. So there is at most one in ten
/// minutes; until the next one, the files hold an older list.
final class ListFiles: Sendable {
    /// The path of the full list.
    let path: String
    private let changesPath: String
    /// The maximum number of entries of a list that is read.
    private let limit: Int
    private let observe: @Sendable (ListFileStep) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        /// The number of changes in the second file; nil if the files do not hold the list that would be changed.
        var changes: Int?
        var lastLongWrite: ContinuousClock.Instant?
        /// Whether the files hold an older list because the current one would have been a long write too soon.
        var isPostponed = false

        /// Whether a write of so many bytes is not too soon.
        mutating func mayWrite(_ length: Int, at now: ContinuousClock.Instant) -> Bool {
            guard length > ListFiles.longWrite, let last = lastLongWrite else { return true }
            return last.duration(to: now) >= ListFiles.longWriteInterval
        }

        /// Notes a write of so many bytes.
        ///
        /// - Parameter changes: the number of changes in the second file.
        mutating func wrote(_ length: Int, changes: Int, at now: ContinuousClock.Instant) {
            if length > ListFiles.longWrite { lastLongWrite = now }
            (self.changes, isPostponed) = (changes, false)
        }
    }

    /// The number of bytes from which a write counts as long: a list of 25,000 bikes.
    private static let longWrite = 64 << 10
    static let longWriteInterval = Duration.seconds(600)

    /// All changes are read at start, and each takes a pass over the list.
    private static let maximumChanges = 32

    /// - Parameter limit: the maximum number of entries of a list that is read.
    init(
        path: String, limit: Int = MissingIdentities.maximumCount,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        observe: @escaping @Sendable (ListFileStep) -> Void
    ) {
        self.now = now
        self.path = path
        self.limit = limit
        changesPath = path + ".changes"
        self.observe = observe
    }

    /// The list as last written, and the time of that write; nil if there is none or it is damaged.
    func read() -> (list: MissingIdentities, written: Date)? {
        guard let bytes = Self.bytes(path), case .full(var list) = try? ListMessage(bytes, limit: limit) else {
            return nil
        }
        var rest = (Self.bytes(changesPath) ?? [])[...]
        var count = 0
        while let record = Self.takeRecord(from: &rest) {
            guard case .delta(let delta) = try? ListMessage(Array(record), limit: limit),
                let next = try? list.applying(delta)
            else {
                // This change belongs to a list that has been replaced, or was not written completely.
                continue
            }
            list = next
            count += 1
        }
        // A change that is appended after an incomplete record could not be found again.
        let isWhole = rest.isEmpty
        state.withLock { $0.changes = isWhole ? count : nil }
        return (list, Self.modified(changesPath) ?? Self.modified(path) ?? .distantPast)
    }

    /// Writes a full list, given as bytes, or postpones that.
    func replace(with bytes: [UInt8]) throws(FileFailure) {
        let now = now()
        let isAllowed = state.withLock { state in
            state.changes = nil
            state.isPostponed = !state.mayWrite(bytes.count, at: now)
            return !state.isPostponed
        }
        guard isAllowed else { return }
        try DurableFile.put(bytes, at: path) { step in
            switch step {
            case .halfWritten: observe(.halfWritten)
            case .written: observe(.written)
            case .inPlace: observe(.replaced)
            }
        }
        try DurableFile.remove(changesPath)
        state.withLock { $0.wrote(bytes.count, changes: 0, at: now) }
    }

    /// Appends a change, given as bytes, that turns the list in the files into `list`, or postpones that.
    func append(_ bytes: [UInt8], making list: MissingIdentities) throws(FileFailure) {
        let now = now()
        let count = state.withLock { state in
            defer { state.changes = nil }
            return state.mayWrite(bytes.count, at: now) ? state.changes : nil
        }
        guard let count, count < Self.maximumChanges else {
            return isPostponed ? try writePostponed(list) : try replace(with: list.encoded)
        }
        let length = UInt32(bytes.count)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * $0)) }
        try DurableFile.append(head + bytes, to: changesPath) { observe(.halfAppended) }
        state.withLock { $0.wrote(bytes.count, changes: count + 1, at: now) }
        observe(.appended)
    }

    private var isPostponed: Bool { state.withLock(\.isPostponed) }

    /// Writes the current list if that was postponed and is due.
    func writePostponed(_ list: MissingIdentities) throws(FileFailure) {
        let now = now()
        guard state.withLock({ $0.isPostponed && $0.mayWrite(.max, at: now) }) else { return }
        try replace(with: list.encoded)
    }

    /// Updates the time at which the list was confirmed, for its age after a restart. Writes no content.
    func touch() {
        guard !isPostponed else { return }
        for path in [changesPath, path] where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
            return
        }
    }

    /// The first change, without its length; nil if the rest holds none completely.
    private static func takeRecord(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= length else { return nil }
        defer { bytes = bytes.dropFirst(4 + length) }
        return bytes.dropFirst(4).prefix(length)
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    private static func modified(_ path: String) -> Date? {
        try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
}
