import Foundation

/// The adapters that the kernel shows, whether bluetoothd runs or not.
struct KernelAdapters: Sendable {
    let folder: String

    /// In the order of their numbers; connections, which stand beside them as `hci0:42`, are left out.
    func names() -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { Self.index(of: $0) != nil }.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The names again every five seconds, until the reader is cancelled: the kernel does not report changes of sysfs (inotify(7)).
    func observed(_ clock: any Clock<Duration>) -> AsyncStream<[String]> {
        AsyncStream {
            do { try await clock.sleep(for: .seconds(5)) } catch { return nil }
            return names()
        }
    }

    static func index(of name: String) -> UInt16? {
        name.hasPrefix("hci") ? UInt16(name.dropFirst(3)) : nil
    }
}
