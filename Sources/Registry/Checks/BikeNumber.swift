public import RegistryAPI

/// A serial number, frame number or VIN as it is compared: in upper case, without spaces, dots, hyphens and slashes.
public struct BikeNumber: Hashable, Sendable {
    /// 4–40 letters from A to Z and digits.
    public let text: String

    /// The reason why a text cannot be compared.
    public enum Flaw: Error, Hashable, Sendable {
        /// It has fewer than 4 or more than 40 letters and digits.
        case length
        /// It has other characters. Letters of other alphabets that look alike are refused, not converted: whoever
        /// writes them would otherwise seem to have checked another number.
        case characters
        /// Many bikes could have it, or it is no number: it has no digit, or fewer than three different characters, or
        /// only counts up or down.
        case common
    }

    /// Reads a number as a person types it.
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

    private static func isCommon(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(where: { $0 <= UInt8(ascii: "9") }), Set(bytes).count >= 3 else { return true }
        let steps = Set(zip(bytes, bytes.dropFirst()).map { (Int($1) - Int($0) + 10) % 10 })
        let isDigits = bytes.allSatisfy { $0 <= UInt8(ascii: "9") }
        return isDigits && (steps == [1] || steps == [9])
    }
}

extension BikeDraft {
    /// The numbers on the bike that can be compared.
    public var numbers: Set<BikeNumber> {
        Set([serial, vin].compactMap { $0 }.compactMap { try? BikeNumber(typed: $0) })
    }

    /// Refuses a check by buyers if there is no number, or one that cannot be compared.
    func requireCheckableNumbers() throws(DomainError) {
        guard allowsBuyerCheck else { return }
        let numbers = [("serial number", serial), ("VIN", vin)].compactMap { name, text in text.map { (name, $0) } }
            .filter { !$0.1.isEmpty }
        guard !numbers.isEmpty else {
            throw .refused("needs a serial number or a VIN; add one, or leave it off")
        }
        for (name, text) in numbers {
            do { _ = try BikeNumber(typed: text) } catch { throw .refused("cannot be on: the \(name) \(error.detail)") }
        }
    }
}

extension BikeNumber.Flaw {
    /// What a number must be, after its name.
    public var detail: String {
        switch self {
        case .length: "must have 4 to 40 letters and digits"
        case .characters: "must have only letters from A to Z, digits, spaces, dots, hyphens and slashes"
        case .common: "is one that many bikes could have; it needs a digit and three different characters"
        }
    }
}

extension DomainError {
    fileprivate static func refused(_ detail: String) -> DomainError {
        .invalidFields([FieldError(pointer: "/buyerCheck", detail: detail)])
    }
}
