import Foundation

/// The adapters that the kernel shows, whether bluetoothd runs or not.
enum KernelAdapters {
    /// In the order of their numbers; connections, which stand beside them as `hci0:42`, are left out.
    static func names(in folder: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { $0.hasPrefix("hci") && UInt16($0.dropFirst(3)) != nil }
            .sorted { ($0.count, $0) < ($1.count, $1) }
    }
}
