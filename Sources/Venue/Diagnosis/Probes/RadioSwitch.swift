/// An rfkill switch of a Bluetooth radio (Documentation/driver-api/rfkill.rst).
public struct RadioSwitch: Hashable, Sendable {
    /// The name, such as `hci0`.
    public let name: String
    /// Soft-blocked; `rfkill unblock` unblocks it.
    public let isSoftBlocked: Bool
    /// Hard-blocked, by a switch or key on the machine; software cannot unblock it.
    public let isHardBlocked: Bool

    public init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
        self.name = name
        self.isSoftBlocked = isSoftBlocked
        self.isHardBlocked = isHardBlocked
    }

    /// The switches of all Bluetooth radios.
    static func all(_ files: SystemFiles) -> [RadioSwitch] {
        let folder = "/sys/class/rfkill"
        return files.names(in: folder).compactMap { entry in
            guard files.text("\(folder)/\(entry)/type") == "bluetooth" else { return nil }
            return RadioSwitch(
                name: files.text("\(folder)/\(entry)/name") ?? entry,
                isSoftBlocked: files.text("\(folder)/\(entry)/soft") == "1",
                isHardBlocked: files.text("\(folder)/\(entry)/hard") == "1"
            )
        }
    }
}
