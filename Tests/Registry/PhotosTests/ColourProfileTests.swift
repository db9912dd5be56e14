import TestSupport
import Testing

@testable import Photos

@Suite("Colours of a profile")
struct ColourProfileTests {
    private static func standard(_ colour: [UInt8], _ profile: ProfileSample) throws -> [UInt8] {
        var pixels = colour
        try #require(ColourProfile(profile.bytes)).convertToStandard(&pixels)
        return pixels
    }

    private static func isNear(_ some: [UInt8], _ other: [UInt8]) -> Bool {
        some.count == other.count && zip(some, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    @Test(
        "colours of Display P3 become those of sRGB, as Little CMS computes them",
        // Computed with Little CMS 2.19 in Pillow 13.0 (ImageCms, relative colorimetric intent).
        arguments: [
            ([230, 60, 40], [250, 31, 14]), ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [255, 255, 255]),
            ([128, 128, 128], [128, 128, 128]), ([0, 255, 0], [0, 255, 0]), ([12, 200, 90], [0, 204, 73]),
            ([100, 150, 200], [83, 152, 205]),
        ] as [([UInt8], [UInt8])])
    func displayP3(colour: [UInt8], standard: [UInt8]) throws {
        let found = try Self.standard(colour, .displayP3)
        #expect(Self.isNear(found, standard), "\(found)")
    }

    @Test("a curve is a table, an exponent, or each kind of function")
    func curves() throws {
        let table = ProfileSample.table((0...1023).map { UInt16($0 * $0 * 65_535 / (1023 * 1023)) })
        let squares = [
            table, ProfileSample.table([512]), ProfileSample.function(0, [2]), ProfileSample.function(1, [2, 1, 0]),
            ProfileSample.function(2, [2, 1, 0, 0]), ProfileSample.function(3, [2, 1, 0, 0, 0]),
            ProfileSample.function(4, [2, 1, 0, 0, 0, 0, 0]),
        ]
        for curve in squares {
            // Half of the values is a quarter of the light, which sRGB stores as 137.
            let found = try Self.standard([128, 128, 128], .displayP3(curve: curve))
            #expect(Self.isNear(found, [137, 137, 137]), "\(found)")
        }
        let line = try Self.standard([128, 128, 128], .displayP3(curve: ProfileSample.table([])))
        #expect(Self.isNear(line, [188, 188, 188]))
    }

    @Test("greys have one curve")
    func greys() throws {
        var profile = ProfileSample(tags: [("kTRC", ProfileSample.function(0, [2]))])
        #expect(ColourProfile(profile.bytes) == nil)
        profile.colours = "GRAY"
        #expect(Self.isNear(try Self.standard([128, 128, 128], profile), [137, 137, 137]))
    }

    @Test("no profile makes the conversion fail: every beginning, and wild numbers")
    func hostile() throws {
        let bytes = ProfileSample.displayP3.bytes
        for count in 0..<bytes.count { #expect(ColourProfile(Array(bytes[..<count])) == nil) }
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                var pixels: [UInt8] = [0, 127, 255, 255, 0, 1, 9]
                ColourProfile(changed)?.convertToStandard(&pixels)
                #expect(pixels.count == 7 && pixels[6] == 9)
            }
        }
        let wild = ProfileSample.function(4, [-32_000, -32_000, 0, 32_000, -1, 32_000, -32_000])
        var pixels: [UInt8] = [0, 127, 255]
        ColourProfile(ProfileSample.displayP3(curve: wild).bytes)?.convertToStandard(&pixels)
    }
}
