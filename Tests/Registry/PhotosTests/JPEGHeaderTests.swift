import TestSupport
import Testing

@testable import Photos

@Suite("The header of a JPEG file")
struct JPEGHeaderTests {
    @Test("size and orientation are read, and an orientation that does not exist is none")
    func values() throws {
        for orientation in 0...9 as ClosedRange<UInt16> {
            let header = try JPEGHeader(JPEGSample(64, 48, orientation: orientation).bytes)
            #expect(header.width == 64 && header.height == 48 && header.scans == 1 && header.hasMetadata)
            #expect(header.orientation == (PhotoOrientation(rawValue: Int(orientation)) ?? .upright))
        }
        let plain = try JPEGHeader(JPEGSample().bytes)
        #expect(plain.orientation == .upright && !plain.hasMetadata)
    }

    @Test("every beginning of a file is refused or has its size, and nothing stops the process")
    func beginnings() {
        let bytes = JPEGSample(16, 16, orientation: 6).bytes
        for count in 0..<bytes.count {
            do throws(PhotoRefusal) {
                #expect(try JPEGHeader(Array(bytes[..<count])).width == 16)
            } catch {
                #expect([.empty, .truncated, .damaged, .notJPEG(nil)].contains(error), "\(count): \(error)")
            }
        }
    }

    @Test("every change of a byte is refused or gives a size within the limits")
    func changes() {
        let bytes = JPEGSample(16, 16, orientation: 6).bytes
        for index in bytes.indices {
            for value in [0, 1, 2, 0x7F, 0x80, 0xC2, 0xDA, 0xE1, 0xFE, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                guard let header = try? JPEGHeader(changed) else { continue }
                #expect(header.width > 0 && header.height > 0 && header.width * header.height <= PhotoLimits.pixels)
            }
        }
    }

    @Test(
        "other formats are named, whatever the file is called",
        arguments: [
            ("\u{89}PNG\r\n", "a PNG picture"), ("GIF89a", "a GIF picture"), ("RIFF____WEBPVP8 ", "a WebP picture"),
            ("____ftypheic", "a HEIC photo"), ("____ftypavif", "an AVIF picture"), ("____ftypmp42", "a film"),
            ("%PDF-1.7", "a PDF document"), ("PK\u{3}\u{4}", "a ZIP archive"),
        ])
    func formats(beginning: String, name: String) {
        let bytes = beginning.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        #expect(throws: PhotoRefusal.notJPEG(name)) { try JPEGHeader(bytes) }
    }

    @Test("sizes beyond the limits are refused by what the header states")
    func sizes() {
        var sample = JPEGSample()
        sample.stated = (10_000, 6_000)
        #expect(throws: PhotoRefusal.tooManyPixels(megapixels: 60, most: 50)) { try JPEGHeader(sample.bytes) }
        sample.stated = (0, 48)
        #expect(throws: PhotoRefusal.damaged) { try JPEGHeader(sample.bytes) }
        sample.stated = (64, 0)
        #expect(throws: PhotoRefusal.unusual("a height that is stored at its end")) { try JPEGHeader(sample.bytes) }
        var scanned = JPEGSample(8, 8)
        scanned.scans = 3000
        #expect(throws: PhotoRefusal.tooManyScans) { try JPEGHeader(scanned.bytes) }
        scanned.scans = 2
        scanned.stated = (5200, 5000)
        #expect(throws: PhotoRefusal.tooManyPixels(megapixels: 26, most: 25)) { try JPEGHeader(scanned.bytes) }
        sample = JPEGSample()
        sample.stated = (8192, 6144)
        #expect(throws: Never.self) { try JPEGHeader(sample.bytes) }
        let long = sample.bytes.dropLast(2) + [UInt8](repeating: 0, count: PhotoLimits.bytes)
        #expect(throws: PhotoRefusal.tooLong) { try JPEGHeader(Array(long)) }
        let segments = [[UInt8]](repeating: JPEGSample.segment(0xDD, [0, 0]), count: 5000)
        #expect(throws: PhotoRefusal.tooComplex) { try JPEGHeader(JPEGSample().with(segments.flatMap { $0 })) }
    }

    /// What phones put behind a picture.
    private static let followers: [(name: String, bytes: [UInt8])] = {
        var second = JPEGSample(8, 8)
        second.scans = 20
        let film = Array("\0\0\0\u{18}ftypmp42".utf8) + [UInt8](repeating: 0xFF, count: 50).flatMap { [$0, 0xDA, 7] }
        return [
            ("a film", film), ("a gain map", second.bytes), ("data of the maker", Array("SEFH\0\0\0\0SEFT".utf8)),
            ("nothing of the picture’s length", [UInt8](repeating: 0, count: PhotoLimits.bytes)),
        ]
    }()

    @Test("the picture ends at its end, whatever is behind it")
    func end() throws {
        var sample = JPEGSample(16, 16)
        // As phones do, with more pixels than a picture in several scans may have.
        sample.stated = (8000, 6000)
        let alone = try JPEGHeader(sample.bytes)
        for (name, follower) in Self.followers {
            let file = sample.bytes + follower
            let header = try JPEGHeader(file)
            #expect(header.scans == 1 && header.length == sample.bytes.count && header.hasMetadata, "\(name)")
            #expect(header.picture(in: file) == alone.picture(in: sample.bytes), "\(name)")
        }
        #expect(ConvertedPhoto(large: JPEGSample(8, 8).bytes + [0], small: JPEGSample(8, 8).bytes) == nil)
    }

    @Test("a picture without its end ends where something else begins")
    func noEnd() throws {
        let whole = JPEGSample(16, 16).bytes
        for (name, follower) in Self.followers.prefix(3) {
            let file = whole.dropLast(2) + follower
            let header = try JPEGHeader(Array(file))
            #expect(header.scans == 1 && header.hasMetadata, "\(name)")
            let picture = header.picture(in: Array(file))
            #expect(picture.starts(with: whole.dropLast(2)) && picture.suffix(2) == [0xFF, 0xD9], "\(name)")
            #expect(try JPEGHeader(picture).scans == 1, "\(name)")
        }
        for end in [[], [0xFF]] as [[UInt8]] {
            let header = try JPEGHeader(whole.dropLast(2) + end)
            #expect(header.length == whole.count - 2 + end.count && header.hasMetadata)
        }
    }

    @Test("a decoder gets nothing but the picture, with the only parameters that a sequential scan can have")
    func picture() throws {
        var sample = JPEGSample(16, 16)
        let plain = sample.bytes
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0]
        let jfif = Array("JFIF\0".utf8)
        let dropped: [[UInt8]] = [
            JPEGSample.segment(0xFE, Array("a comment".utf8)), JPEGSample.segment(0xED, [1, 2, 3]), [0, 0, 0],
            // Forms that decoders do not know, and warn of.
            JPEGSample.segment(0xEE, adobe + [9]), JPEGSample.segment(0xE0, jfif + [2, 1, 0, 0, 1, 0, 1, 0, 0]),
        ]
        for segment in dropped {
            let file = sample.with(segment)
            let header = try JPEGHeader(file)
            #expect(header.picture(in: file) == plain, "\(segment)")
        }
        for segment in [
            JPEGSample.segment(0xEE, adobe + [1]), JPEGSample.segment(0xE0, jfif + [1, 2, 0, 0, 1, 0, 1, 0, 0]),
        ] {
            let file = sample.with(segment)
            #expect(try JPEGHeader(file).picture(in: file) == file)
        }
        let place = try #require(plain.indices.first { plain[$0...].starts(with: [0, 63, 0]) })
        var zeros = plain
        zeros[place + 1] = 0
        #expect(try JPEGHeader(zeros).picture(in: zeros) == plain)
        sample.scans = 3
        let scanned = sample.bytes
        let header = try JPEGHeader(scanned)
        #expect(header.scans == 3 && header.picture(in: scanned) == scanned)
    }

    @Test("a colour profile is put together from its parts, in any order, and a part of one is none")
    func profile() throws {
        let parts = ProfileSample.displayP3.segments(of: 100)
        let whole = ProfileSample.displayP3.bytes
        #expect(try JPEGHeader(JPEGSample().with(parts.reversed().flatMap { $0 })).profile == whole)
        #expect(try JPEGHeader(JPEGSample().with(Array(parts.dropLast().joined()))).profile == nil)
        #expect(try JPEGHeader(JPEGSample().bytes).profile == nil)
        let other = ProfileSample.displayP3.segments(of: 300)[0]
        #expect(try JPEGHeader(JPEGSample().with(Array(parts.joined()) + other)).profile == whole)
        #expect(try JPEGHeader(JPEGSample().with(other + Array(parts.joined()))).profile == nil)
        let long = ProfileSample(tags: [("none", [UInt8](repeating: 0, count: 200_000))]).segments()
        #expect(try JPEGHeader(JPEGSample().with(Array(long.joined()))).profile == nil)
    }

    @Test("an orientation is found only in the first directory, and loops and far offsets end")
    func exif() {
        let begin = Array("Exif\0\0MM\0*".utf8)
        let cases: [[UInt8]] = [
            [], [0, 0, 0, 8], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 8, 0xFF, 0xFF],
            // The directory begins within itself, and says that another one follows at its own place.
            [0, 0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
            // A text in place of a number; two numbers; no value.
            [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 2, 0, 0, 0, 1, 0, 6, 0, 0],
            [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 2, 0, 6, 0, 0],
            [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1],
        ]
        for content in cases { #expect(PhotoOrientation(exif: (begin + content)[...]) == nil, "\(content)") }
        let good: [UInt8] = [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        #expect(PhotoOrientation(exif: (begin + good)[...]) == .left)
        let little: [UInt8] = [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]
        #expect(PhotoOrientation(exif: (Array("Exif\0\0II*\0".utf8) + little)[...]) == .right)
    }

    @Test("the pictures of a less trusted process must be JPEG files of the right size without metadata")
    func converted() {
        let (large, small) = (JPEGSample(1600, 8).bytes, JPEGSample(400, 8).bytes)
        #expect(ConvertedPhoto(large: large, small: small)?.width == 1600)
        #expect(ConvertedPhoto(large: JPEGSample(1601, 8).bytes, small: small) == nil)
        #expect(ConvertedPhoto(large: large, small: large) == nil)
        #expect(ConvertedPhoto(large: JPEGSample(8, 8, orientation: 1).bytes, small: small) == nil)
        #expect(ConvertedPhoto(large: Array("<html>".utf8), small: small) == nil)
    }
}
