import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import OperatingSystem
import Syntax

/// `findmybike beacon provision`: writes a file for a rotating beacon, with its key and the time.
struct BeaconProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Write a file that sets a rotating beacon’s key and clock.",
        discussion: """
            Send it to the beacon immediately: its clock starts with the time in the file. Then delete it: whoever has \
            the key in it can follow the bike. firmware/README.md says how.
              findmybike beacon provision --key-file bike.key
              findmybike beacon provision --key-file bike.key --format hex
            """
    )

    /// The number of bytes of the record for the C firmware.
    private static let recordLength = 32

    /// The form of the file; see the help of --format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case espruino, hex
    }

    @Option(help: ArgumentHelp("The file with the beacon’s key; - for standard input.", valueName: "file"))
    var keyFile: String

    @Option(
        help: ArgumentHelp(
            "The file to write, by default provision.js or provision.hex, which must not exist; - for standard output.",
            valueName: "file"))
    var output: String?

    @Option(
        help: """
            espruino: JavaScript for a board with Espruino; hex: a record for the C firmware, in Intel’s HEX format.
            """)
    var format = Format.espruino

    @Option(
        help: ArgumentHelp(
            "With hex: where in the chip’s memory the record goes; by default its registers for customers (UICR).",
            valueName: "address"))
    var address = HexadecimalArgument(value: 0x1000_1080)

    @OptionGroup var result: OutputOptions

    func validate() throws {
        guard UInt32.max - address.value >= UInt32(Self.recordLength) else {
            throw ValidationError("The record does not fit between --address and the end of the memory.")
        }
        guard output != "-" || !result.json else {
            throw ValidationError("The file’s content goes to standard output: leave out --json, or name a file.")
        }
    }

    func run() async throws {
        let key = try BeaconKeyFile(path: keyFile).read()
        guard let seconds = UInt32(exactly: Date().timeIntervalSince1970.rounded(.down)) else {
            throw CommandFailure(.configuration, "this computer’s clock is wrong: set it, and try again")
        }
        let text =
            switch format {
            case .espruino: Self.espruino(key, seconds)
            case .hex: IntelHex.text(of: key.record(beaconSeconds: seconds), at: address.value)
            }
        let output = output ?? (format == .espruino ? "provision.js" : "provision.hex")
        guard output != "-" else {
            for line in text.split(at: "\n") { Output.line(String(line)) }
            return
        }
        do {
            try SecretFile(path: output).create(text)
        } catch {
            throw CommandFailure(error)
        }
        try result.show(
            ["output": output, "time": "\(seconds)"],
            "Wrote \(output). Send it to the beacon immediately, because it contains the time. Then delete it: it contains the key."
        )
    }

    /// Lines for Espruino's console. The device's own clock is used if it is later, because the file may be sent later.
    /// A time that an earlier key stored is ignored.
    private static func espruino(_ key: RotatingBeaconKey, _ seconds: UInt32) -> String {
        """
        require("Storage").writeJSON("fmb.key","\(key.hexadecimal)");
        require("Storage").erase("fmb.0");require("Storage").erase("fmb.1");
        setTime(Math.max(getTime(),\(seconds)));
        load();
        """
    }
}

/// An address: `0x10001080`.
struct HexadecimalArgument: ExpressibleByArgument {
    let value: UInt32

    init(value: UInt32) { self.value = value }

    init?(argument: String) {
        let digits = argument.dropFirst(2)
        // UInt32.init(_:radix:) also takes a sign.
        guard argument.begins(with: "0x"), digits.first?.isHexDigit == true, let value = UInt32(digits, radix: 16)
        else {
            return nil
        }
        self.value = value
    }

    var defaultValueDescription: String { "0x" + String(value, radix: 16) }
}

/// Intel's hexadecimal object file format (Intel, revision A, 1988), which flashing tools read.
enum IntelHex {
    /// The lines for bytes at an address, up to the end of the memory.
    static func text(of bytes: [UInt8], at address: UInt32) -> String {
        var lines: [String] = []
        var upper: UInt16?
        var rest = bytes[...]
        var place = UInt64(address)
        while !rest.isEmpty, let address = UInt32(exactly: place) {
            // A line has 16 bits of its address; the others come before it, and before the first line beyond 64 KiB.
            let page = UInt16(truncatingIfNeeded: address >> 16)
            if page != upper {
                lines.append(line(type: 4, at: 0, [UInt8(page >> 8), UInt8(truncatingIfNeeded: page)]))
                upper = page
            }
            let part = rest.prefix(min(16, 0x1_0000 - Int(address & 0xFFFF)))
            lines.append(line(type: 0, at: UInt16(truncatingIfNeeded: address), Array(part)))
            rest = rest.dropFirst(part.count)
            place += UInt64(part.count)
        }
        return (lines + [line(type: 1, at: 0, [])]).joined(separator: "\n")
    }

    private static func line(type: UInt8, at place: UInt16, _ data: [UInt8]) -> String {
        let bytes =
            [UInt8(data.count), UInt8(place >> 8), UInt8(truncatingIfNeeded: place), type] + data
        let sum = bytes.reduce(0 as UInt8) { $0 &+ $1 }
        return ":" + (bytes + [0 &- sum]).map { $0.hexadecimal(uppercase: true) }.joined()
    }
}
