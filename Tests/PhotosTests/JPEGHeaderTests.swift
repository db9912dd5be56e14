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
        let long = [0xFF, 0xD8] + [UInt8](repeating: 0, count: PhotoLimits.bytes)
        #expect(throws: PhotoRefusal.tooLong) { try JPEGHeader(long) }
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
