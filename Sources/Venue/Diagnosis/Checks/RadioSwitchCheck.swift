/// Whether the kernel blocks a Bluetooth radio.
enum RadioSwitchCheck {
    static func judge(_ switches: [RadioSwitch]) -> Check {
        let subject = CheckSubject.rfkill
        guard !switches.isEmpty else { return subject.notApplicable("no Bluetooth radio has a switch") }
        let hard = switches.filter(\.isHardBlocked)
        let soft = switches.filter(\.isSoftBlocked)
        if !hard.isEmpty {
            return subject.failure(
                "\(names(hard)) is switched off by a hardware switch or key",
                remedy: "turn on the wireless switch, or enable Bluetooth in the firmware’s settings")
        }
        if !soft.isEmpty {
            return subject.failure("\(names(soft)) is blocked by software", remedy: "sudo rfkill unblock bluetooth")
        }
        return subject.ok("\(names(switches)) is not blocked")
    }

    private static func names(_ switches: [RadioSwitch]) -> String {
        switches.map(\.name).joined(separator: ", ")
    }
}
