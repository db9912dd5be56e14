/// A switch of the kernel's that can silence a Bluetooth radio (Documentation/driver-api/rfkill.rst).
public struct RadioSwitch: Hashable, Sendable {
    /// `hci0`
    public let name: String
    /// Off by software; `rfkill unblock` turns it on.
    public let isSoftBlocked: Bool
    /// Off by a switch or a key of the machine; software cannot turn it on.
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
