import Glibc

/// An ICC profile that describes colours by three curves and a matrix, like the profiles of cameras, phones and
/// screens, or greys by one curve (ICC.1:2022). Profiles that have only tables, like those of printers, are not read.
public struct ColourProfile: Hashable, Sendable {
    /// Three curves, of red, green and blue: the linear amount of light, 0…1, of each of the 256 stored values.
    let curves: [[Double]]
    /// Three rows of three: the amounts of sRGB's red, green and blue for those of this profile.
    let matrix: [[Double]]

    /// Colours of sRGB for CIE XYZ under D50, to which profiles adapt all colours (IEC 61966-2-1, adapted by Bradford).
    private static let standardFromXYZ = [
        [3.133_856_1, -1.616_866_7, -0.490_614_6], [-0.978_768_4, 1.916_141_5, 0.033_454_0],
        [0.071_945_3, -0.228_991_4, 1.405_242_7],
    ]

    /// Reads a profile, which may contain anything; nil if it has another form.
    public init?(_ bytes: [UInt8]) {
        let profile = ICCProfile(bytes)
        // The header (section 7.2): the colours of the data, the colours between profiles, the signature.
        guard profile.reader.hasText(at: 36, "acsp") else { return nil }
        if profile.reader.hasText(at: 16, "GRAY"), let curve = profile.curve("kTRC") {
            curves = [curve, curve, curve]
            matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        } else if profile.reader.hasText(at: 16, "RGB "), profile.reader.hasText(at: 20, "XYZ "),
            let red = profile.colour("rXYZ"), let green = profile.colour("gXYZ"), let blue = profile.colour("bXYZ"),
            let reds = profile.curve("rTRC"), let greens = profile.curve("gTRC"), let blues = profile.curve("bTRC")
        {
            curves = [reds, greens, blues]
            // The product of the two matrices.
            matrix = Self.standardFromXYZ.map { row in
                [red, green, blue].map { colour in zip(row, colour).map(*).reduce(0, +) }
            }
        } else {
            return nil
        }
    }

    /// Changes pixels of red, green and blue, a byte each, to the same colours in sRGB. Colours that sRGB does not have
    /// become the nearest values.
    public func convertToStandard(_ pixels: inout [UInt8]) {
        let (red, green, blue) = (curves[0], curves[1], curves[2])
        let (x, y, z) = (matrix[0], matrix[1], matrix[2])
        for offset in stride(from: 0, to: pixels.count - 2, by: 3) {
            let (r, g, b) = (red[Int(pixels[offset])], green[Int(pixels[offset + 1])], blue[Int(pixels[offset + 2])])
            pixels[offset] = Self.stored(x[0] * r + x[1] * g + x[2] * b)
            pixels[offset + 1] = Self.stored(y[0] * r + y[1] * g + y[2] * b)
            pixels[offset + 2] = Self.stored(z[0] * r + z[1] * g + z[2] * b)
        }
    }

    /// The steps of light in ``storedValues``: so many that the darkest values, which are close together, are right.
    private static let steps = 16_384.0
    /// The stored value of each step of light in sRGB (IEC 61966-2-1).
    private static let storedValues: [UInt8] = (0...Int(steps)).map { step in
        let light = Double(step) / steps
        let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(max(0, min(255, (value * 255).rounded())))
    }

    /// The stored value for an amount of light, which may be any number.
    private static func stored(_ light: Double) -> UInt8 {
        // A comparison with NaN is false, so that it becomes 0.
        guard light > 0 else { return 0 }
        return storedValues[Int(min(1, light) * steps + 0.5)]
    }
}

/// The tags of an ICC profile (section 7.3); each is nil if it is missing or has another form.
private struct ICCProfile {
    let reader: ByteReader
    private var tags: [String: ByteReader] = [:]

    /// Profiles have about 10 to 20.
    private static let mostTags = 100

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes)
        for index in 0..<min(Self.mostTags, reader.integer32(at: 128) ?? 0) {
            let entry = 132 + 12 * index
            guard let name = reader.slice(entry..<entry + 4), let offset = reader.integer32(at: entry + 4),
                let size = reader.integer32(at: entry + 8), let content = reader.slice(offset..<offset + size)
            else { continue }
            tags[String(decoding: name, as: UTF8.self)] = ByteReader(content)
        }
    }

    /// The three numbers of a colour in XYZ (section 10.31).
    func colour(_ tag: String) -> [Double]? {
        guard let tag = tags[tag], tag.hasText(at: 0, "XYZ ") else { return nil }
        let numbers = [8, 12, 16].compactMap { tag.fixed(at: $0) }
        return numbers.count == 3 ? numbers : nil
    }

    /// The light of the 256 values that a byte can have, 0…1.
    func curve(_ tag: String) -> [Double]? {
        guard let tag = tags[tag], let curve = Self.sampled(tag) ?? Self.parametric(tag) else { return nil }
        return (0...255).map { value in
            let light = curve(Double(value) / 255)
            return light > 0 ? min(1, light) : 0
        }
    }

    /// The curve of a table or of one exponent (section 10.6), from a value to its light, both 0…1.
    private static func sampled(_ tag: ByteReader) -> ((Double) -> Double)? {
        guard tag.hasText(at: 0, "curv"), let count = tag.integer32(at: 8) else { return nil }
        let values = (0..<min(count, 65_536)).compactMap { tag.integer16(at: 12 + 2 * $0).map(Double.init) }
        guard values.count == count else { return nil }
        if values.isEmpty { return { $0 } }
        if values.count == 1 { return { pow($0, values[0] / 256) } }
        return { value in
            // Between two entries of the table, on the straight line.
            let place = value * Double(values.count - 1)
            let lower = min(Int(place), values.count - 2)
            let rise = (values[lower + 1] - values[lower]) * (place - Double(lower))
            return (values[lower] + rise) / 65_535
        }
    }

    /// A function of one of five types (section 10.18). The parameters are g, a, b, c, d, e and f there, in this order:
    /// (a·x + b)^g + e from d on, below it c·x + f; a type leaves out some of them.
    private static func parametric(_ tag: ByteReader) -> ((Double) -> Double)? {
        guard tag.hasText(at: 0, "para"), let type = tag.integer16(at: 8),
            let count = parameterCounts[type]
        else { return nil }
        let p: [Double] = (0..<count).compactMap { tag.fixed(at: 12 + 4 * $0) }
        guard p.count == count else { return nil }
        let power: (Double) -> Double = { pow(p[1] * $0 + p[2], p[0]) }
        switch type {
        case 0: return { pow($0, p[0]) }
        case 1, 2:
            let offset = type == 2 ? p[3] : 0
            return { p[1] * $0 + p[2] >= 0 ? power($0) + offset : offset }
        default:
            let (offset, linear) = type == 4 ? (p[5], p[6]) : (0, 0)
            return { $0 >= p[4] ? power($0) + offset : p[3] * $0 + linear }
        }
    }

    /// The number of parameters of each type.
    private static let parameterCounts = [0: 1, 1: 3, 2: 4, 3: 5, 4: 7]
}

extension ByteReader {
    /// A number with 16 bits behind the point (ICC.1:2022, section 4.6).
    fileprivate func fixed(at offset: Int) -> Double? {
        integer32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }
}
