import Beacons
import Foundation
import Synchronization

/// The resident memory of this process at each minute of a scanner's time.
final class MemoryLog: Sendable {
    private struct State {
        var nextSample: ScanInstant
        var adverts = 0
        /// Kilobytes, one a minute.
        var resident: [Int] = []
        var own = 0
    }

    private let state: Mutex<State>

    init(from start: ScanInstant) {
        state = Mutex(State(nextSample: start))
    }

    func observe(_ batch: AdvertisementBatch) {
        state.withLock { state in
            state.adverts += batch.advertisements.count
            guard batch.time >= state.nextSample else { return }
            let resident = Self.kilobytes(of: "VmRSS")
            print("minute \(state.resident.count): \(resident) kB")
            state.resident.append(resident)
            state.own = Self.kilobytes(of: "RssAnon")
            state.nextSample = state.nextSample.advanced(by: .seconds(60))
        }
    }

    func summary(listed: Int, visits: Int) throws -> Summary {
        state.withLock { state in
            Summary(
                listed: listed,
                visits: visits,
                adverts: state.adverts,
                start: state.resident.first ?? 0,
                afterFiveMinutes: state.resident.dropFirst(5).first ?? 0,
                end: state.resident.last ?? 0,
                largest: state.resident.max() ?? 0,
                peak: Self.kilobytes(of: "VmHWM"),
                ownAtEnd: state.own
            )
        }
    }

    /// Counts, and resident memory in kilobytes. The peak is the kernel's own and includes the making of the list; what
    /// is the process's own is not a page of a program or library, which the kernel may drop and other processes share.
    struct Summary: Encodable {
        let listed: Int
        let visits: Int
        let adverts: Int
        let start: Int
        let afterFiveMinutes: Int
        let end: Int
        let largest: Int
        let peak: Int
        let ownAtEnd: Int

        func printAsJSON() throws {
            print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
        }
    }

    /// A value of the kernel's process status (proc(5)).
    private static func kilobytes(of field: String) -> Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status").map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
