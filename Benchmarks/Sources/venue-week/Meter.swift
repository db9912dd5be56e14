import Foundation
import Synchronization

/// Measures the process's disk writes and resident memory at the beginning of each day.
final class Meter: Sendable {
    struct Day: Sendable {
        /// The bytes that the kernel wrote for the process (proc(5), `write_bytes`).
        let written: Int
        /// The resident memory in kilobytes.
        let resident: Int
    }

    private let state = Mutex((days: [Day](), adverts: 0))

    var days: [Day] { state.withLock(\.days) }
    var adverts: Int { state.withLock(\.adverts) }

    func count(_ adverts: Int) { state.withLock { $0.adverts += adverts } }

    func note(day: Int) {
        let today = Day(
            written: Self.value("/proc/self/io", "write_bytes"), resident: Self.value("/proc/self/status", "VmRSS"))
        let before = days.last?.written ?? today.written
        state.withLock { $0.days.append(today) }
        let written = String(format: "%.2f", Double(today.written - before) / 1e6)
        print("day \(day): \(written) MB written since the day before, \(today.resident) kB resident")
    }

    private static func value(_ path: String, _ field: String) -> Int {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
