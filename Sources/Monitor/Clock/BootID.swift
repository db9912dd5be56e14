import Foundation

/// One run of the machine: readings of the boot clock mean something only within it.
public struct BootID: Hashable, Sendable {
    let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The running kernel's (random(4)). Where it cannot be read, one that is like no other, so that nothing is taken for
    /// a reading of this run that is none.
    public static func current() -> BootID {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return BootID(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString)
    }
}
