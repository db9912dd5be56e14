import Foundation
import Syntax

/// The kernel's adapters, whether or not bluetoothd is running.
struct KernelAdapters: Sendable {
    let folder: String

    /// The names in numerical order, without connections, which are listed with them as `hci0:42`.
    func names() -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { Self.index(of: $0) != nil }.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The names, repeated every five seconds until the reader is cancelled: the kernel does not report changes of
    /// sysfs (inotify(7)).
    func observed(_ clock: any Clock<Duration>) -> AsyncStream<[String]> {
        AsyncStream {
            do { try await clock.sleep(for: .seconds(5)) } catch { return nil }
            return names()
        }
    }

    static func index(of name: String) -> UInt16? {
        name.begins(with: "hci") ? UInt16(name.dropFirst(3)) : nil
    }
}
