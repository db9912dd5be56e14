public import RegistryAPI

/// A day's quarters of an hour as bytes, about ten for each.
///
/// For each quarter: its number in the day (one byte), then `listened`, `adverts`, `devices`, `restarts` and `listAge`
/// plus one (zero if there is none) as numbers with seven bits a byte, the lowest first (LEB128).
public enum PackedCoverage {
    /// Packs the quarters of one day, in their order.
    public static func bytes(of quarters: [CoverageQuarter]) -> [UInt8] {
        var bytes: [UInt8] = []
        for quarter in quarters {
            bytes.append(UInt8(clamping: quarter.numberInDay))
            let numbers = [
                quarter.listened, quarter.adverts, quarter.devices, quarter.restarts,
                quarter.listAge.map { $0 + 1 } ?? 0,
            ]
            for number in numbers { append(UInt64(clamping: number), to: &bytes) }
        }
        return bytes
    }

    /// Reads the quarters of a day.
    ///
    /// - Returns: nil for bytes that ``bytes(of:)`` cannot have made.
    public static func quarters(in bytes: some Sequence<UInt8>, of day: CalendarDate) -> [CoverageQuarter]? {
        var bytes = bytes.makeIterator()
        var quarters: [CoverageQuarter] = []
        while let numberInDay = bytes.next() {
            guard Int(numberInDay) < CoverageQuarter.perDay, quarters.count < CoverageQuarter.perDay,
                let listened = Self.number(from: &bytes), let adverts = Self.number(from: &bytes),
                let devices = Self.number(from: &bytes), let restarts = Self.number(from: &bytes),
                let listAge = Self.number(from: &bytes)
            else { return nil }
            quarters.append(
                CoverageQuarter(
                    begins: day.start.advanced(by: CoverageQuarter.length * Int(numberInDay)), listened: listened,
                    adverts: adverts, devices: devices, restarts: restarts, listAge: listAge > 0 ? listAge - 1 : nil
                )
            )
        }
        return quarters
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number of at most 56 bits; nil if it is longer or incomplete.
    private static func number(from bytes: inout some IteratorProtocol<UInt8>) -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = bytes.next() else { return nil }
            number |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        return nil
    }
}
