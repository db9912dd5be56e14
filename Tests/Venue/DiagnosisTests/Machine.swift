import Foundation
import TestSupport

/// A folder that stands in for a machine's `/`.
struct Machine {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func write(_ text: String, _ path: String) throws {
        try makeFolder((path as NSString).deletingLastPathComponent)
        _ = try folder.write(text + "\n", to: path)
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
    }

    /// Adds a link as in /sys/class, and the folder that it points to.
    func link(_ path: String, to target: String) throws {
        try makeFolder(target)
        try makeFolder((path as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(path), withDestinationPath: folder.file(target))
    }

    /// Adds a program that prints this text.
    func program(_ path: String, printing text: String) async throws {
        try makeFolder((path as NSString).deletingLastPathComponent)
        _ = try await folder.script("echo '\(text)'", to: path)
    }

    /// A Raspberry Pi with its built-in controller and Wi-Fi, in working order.
    static func raspberryPi() async throws -> Machine {
        let machine = try Machine()
        try await machine.program("usr/libexec/bluetooth/bluetoothd", printing: "5.66")
        try machine.write("6.12.25+rpt-rpi-v8", "proc/sys/kernel/osrelease")
        try machine.link(
            "sys/class/bluetooth/hci0", to: "sys/devices/platform/soc/fe201000.serial/serial0/serial0-0/bluetooth/hci0")
        try machine.rfkill(soft: 0, hard: 0)
        try machine.makeFolder("sys/class/net/eth0")
        try machine.link("sys/class/net/wlan0/device", to: "sys/devices/platform/soc/fe300000.mmcnr/mmc_host/mmc1")
        try machine.makeFolder("sys/class/net/wlan0/phy80211")
        try machine.write("up", "sys/class/net/wlan0/operstate")
        return machine
    }

    func rfkill(soft: Int, hard: Int) throws {
        try write("bluetooth", "sys/class/rfkill/rfkill0/type")
        try write("hci0", "sys/class/rfkill/rfkill0/name")
        try write("\(soft)", "sys/class/rfkill/rfkill0/soft")
        try write("\(hard)", "sys/class/rfkill/rfkill0/hard")
        try write("wlan", "sys/class/rfkill/rfkill1/type")
        try write("1", "sys/class/rfkill/rfkill1/soft")
    }
}
