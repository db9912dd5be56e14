public import RegistryAPI

/// A serial number, frame number or VIN as it is compared: in upper case, without spaces, dots, hyphens and slashes.
public struct BikeNumber: Hashable, Sendable {
    /// 4–40 letters from A to Z and digits.
    public let text: String

    /// The reason why a text cannot be compared.
    public enum Flaw: Error, Hashable, Sendable {
        /// It has fewer than 4 or more than 40 letters and digits.
        case length
        /// It has other characters. Letters of other alphabets that look alike are refused, not converted: otherwise
        /// another number would seem to have been checked.
        case characters
        /// Many bikes could have it, or it is not a number at all: it has no digit, or fewer than three different
        /// characters, or only counts up or down.
        case common
    }

    /// Reads a number as a person types it, at most 256 bytes.
    public init(typed text: String) throws(Flaw) {
        guard text.utf8.count <= 256 else { throw .length }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes.append(byte & ~0x20)
            case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"): continue
            default: throw .characters
            }
        }
        guard (4...40).contains(bytes.count) else { throw .length }
        guard !Self.isCommon(bytes) else { throw .common }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the letters and digits are those of ``Flaw/common``.
    private static func isCommon(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 <= UInt8(ascii: "9") }), Set(bytes).count >= 3 else { return true }
        guard bytes.allSatisfy({ $0 <= UInt8(ascii: "9") }) else { return false }
        // Counting up or down goes on from 9 to 0, and from 0 to 9.
        let steps = Set(zip(bytes, bytes.dropFirst()).map { (Int($1) - Int($0) + 10) % 10 })
        return steps == [1] || steps == [9]
    }
}

extension BikeNumber {
    /// The number of characters of a vehicle identification number (ISO 3779), which has no I, O or Q.
    private static let vinLength = 17

    private var isVINLength: Bool { text.utf8.count == Self.vinLength }

    /// The number as somebody may have misread it: with 0 for O, and 1 for I and L, since a small L looks like a 1; in
    /// a number as long as a VIN also with 0 for Q.
    public var folded: String {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "O"): UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
            case UInt8(ascii: "Q") where isVINLength: UInt8(ascii: "0")
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it is as long as a VIN, and has letters that no VIN has.
    fileprivate var isMisreadVIN: Bool { isVINLength && text.utf8.contains { "IOQ".utf8.contains($0) } }

    /// A number that was reported as missing and that may have been misread as this one.
    package func similar(to reported: BikeNumber) -> SimilarNumber {
        let pairs = zip(text.unicodeScalars, reported.text.unicodeScalars)
        var differences: [SimilarNumber.Difference] = []
        for (offset, (own, other)) in pairs.enumerated() where own != other {
            differences.append(.init(position: offset + 1, checked: String(own), reported: String(other)))
        }
        return SimilarNumber(number: reported.text, differences: differences)
    }
}

extension BikeDraft {
    /// Refuses a VIN with letters that no VIN has: it was misread, and a check of the correct number would not find it.
    package func requireReadableVIN() throws(DomainError) {
        guard let vin else { return }
        // Invisible characters, such as a zero-width space, must not hide a letter.
        let visible = String(vin.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
        guard let number = try? BikeNumber(typed: visible), number.isMisreadVIN else { return }
        throw .invalidField("/vin", "has an I, O or Q, which a VIN never has: read it again, it is probably a 1 or a 0")
    }

    /// The numbers on the bike that can be compared.
    public var numbers: Set<BikeNumber> {
        Set([serial, vin].compactMap { $0 }.compactMap { try? BikeNumber(typed: $0) })
    }

    /// Refuses a check by buyers if there is no number, or one that cannot be compared.
    package func requireCheckableNumbers() throws(DomainError) {
        guard allowsBuyerCheck else { return }
        var numbers: [(name: String, text: String)] = []
        if let serial, !serial.isEmpty { numbers.append(("serial number", serial)) }
        if let vin, !vin.isEmpty { numbers.append(("VIN", vin)) }
        guard !numbers.isEmpty else {
            throw .invalidField("/buyerCheck", "needs a serial number or a VIN; add one, or leave it off")
        }
        for (name, text) in numbers {
            do {
                _ = try BikeNumber(typed: text)
            } catch {
                throw .invalidField("/buyerCheck", "cannot be on: the \(name) \(error.detail)")
            }
        }
    }
}

extension BikeNumber.Flaw {
    /// The requirement for a number, as the rest of a sentence that begins with the field's name.
    public var detail: String {
        switch self {
        case .length: "must have 4 to 40 letters and digits"
        case .characters: "must have only letters from A to Z, digits, spaces, dots, hyphens and slashes"
        case .common: "is one that many bikes could have; it needs a digit and three different characters"
        }
    }
}
