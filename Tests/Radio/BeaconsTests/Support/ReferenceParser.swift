/// An independent, slow parser of advertising data in plain arrays: the reference for the real parsers.
enum ReferenceParser {
    /// The manufacturer-specific data of the first iBeacon, as 25 bytes.
    static func iBeacon(in frame: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = frame
        while let length = rest.first, length > 0, rest.count > Int(length) {
            let structure = rest.dropFirst().prefix(Int(length))
            if structure.starts(with: [0xFF, 0x4C, 0x00, 0x02, 0x15]), structure.count >= 26 {
                return structure.dropFirst().prefix(25)
            }
            rest = rest.dropFirst(Int(length) + 1)
        }
        return nil
    }
}
