/// Whether Wi-Fi competes with the radio: a built-in controller on a serial line shares its chip and antenna with
/// Wi-Fi.
enum WirelessCheck {
    /// - Parameter controllers: the kernel's Bluetooth controllers.
    static func judge(_ interfaces: [WirelessInterface], controllers: [String: ControllerBus]) -> Check {
        let subject = CheckSubject.wifi
        let inUse = interfaces.filter(\.isInUse)
        guard !inUse.isEmpty else { return subject.ok("Wi-Fi is not in use") }
        let builtIn = controllers.filter { $0.value == .serial }.keys.sorted()
        let sharing = inUse.filter { !$0.isUSB && !builtIn.isEmpty }
        if let interface = sharing.first(where: { $0.frequency.map(isLowBand) ?? false }) {
            return subject.warning(
                "\(interface.name) uses 2.4 GHz and shares its radio with \(builtIn.joined(separator: ", "))",
                remedy: remedy)
        }
        if let interface = sharing.first(where: { $0.frequency == nil }) {
            return subject.warning(
                "\(interface.name) may use 2.4 GHz, and shares its radio with \(builtIn.joined(separator: ", "))",
                remedy: remedy)
        }
        return subject.ok(inUse.map { describe($0, isSharing: sharing.contains($0)) }.joined(separator: ", "))
    }

    private static let remedy = "use Ethernet, a 5 GHz network, or a USB Bluetooth adapter on an extension lead"

    private static func isLowBand(_ megahertz: Int) -> Bool { (2400..<2500).contains(megahertz) }

    private static func describe(_ interface: WirelessInterface, isSharing: Bool) -> String {
        let place = interface.frequency.map { "at \($0) MHz" } ?? "in use"
        return "\(interface.name) is \(place)" + (isSharing ? "" : ", on its own radio")
    }
}
