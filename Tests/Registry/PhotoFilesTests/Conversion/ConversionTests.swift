import Foundation
import Photos
import RegistryRules
import TestSupport
import Testing

@testable import PhotoFiles

@Suite("Converting photos in a process without rights", .timeLimit(.minutes(20)))
struct ConversionTests {
    private let converter: IsolatedConverter
    private let folder: TemporaryFolder

    init() throws {
        converter = IsolatedConverter(program: try BuiltProgram("findmybike-registry").path)
        folder = try TemporaryFolder()
    }

    private func refusal(of file: [UInt8]) async -> PhotoRefusal? {
        do {
            _ = try await converter.convert(file)
            return nil
        } catch DomainError.photoUnusable(let refusal) {
            return refusal
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("the process can open no file and no socket, signal nobody, start nothing, and make no code")
    func rights() async throws { try await converter.check() }

    /// The index of the sample’s colour that is nearest to a pixel.
    private static func quarter(_ picture: Picture, _ x: Int, _ y: Int) -> Int? {
        let pixel = picture.bytes[(y * picture.width + x) * 3..<(y * picture.width + x) * 3 + 3].map(Int.init)
        // Red, green and blue of JPEGSample.quarters.
        let colours = [[40, 40, 40], [255, 20, 33], [13, 247, 12], [230, 230, 230]]
        let distances = colours.map { zip($0, pixel).map { abs($0 - $1) }.reduce(0, +) }
        return distances.min().flatMap { distances.firstIndex(of: $0) }
    }

    @Test(
        "a photo is turned upright, by all eight orientations, and loses all that is not the picture",
        arguments: [
            (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]), (5, [0, 2, 1, 3]),
            (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]),
        ] as [(UInt16, [Int])])
    func orientation(orientation: UInt16, quarters: [Int]) async throws {
        let photo = try await converter.convert(JPEGSample(1920, 960, orientation: orientation).bytes)
        #expect(photo.width == (orientation > 4 ? 800 : 1600) && photo.height == (orientation > 4 ? 1600 : 800))
        for (file, side) in [(photo.large, 1600), (photo.small, 400)] {
            let header = try JPEGHeader(file)
            #expect(!header.hasMetadata && max(header.width, header.height) == side)
            #expect(!String(decoding: file, as: UTF8.self).contains("GPS"))
            let picture = try TurboJPEG.decode(file, side: side)
            let (right, low) = (picture.width * 3 / 4, picture.height * 3 / 4)
            let (left, high) = (picture.width / 4, picture.height / 4)
            let seen = [(left, high), (right, high), (left, low), (right, low)].compactMap {
                Self.quarter(picture, $0, $1)
            }
            #expect(seen == quarters)
        }
    }

    @Test(
        "photos of any shape become pictures; small ones are not enlarged", arguments: [(1, 1), (3, 1000), (65_000, 8)])
    func shapes(width: Int, height: Int) async throws {
        let photo = try await converter.convert(JPEGSample(width, height).bytes)
        #expect(max(photo.width, photo.height) == min(1600, max(width, height)) && min(photo.width, photo.height) > 0)
    }

    @Test("photos of ordinary phones become pictures, with what their programs leave in and behind them")
    func phones() async throws {
        var sample = JPEGSample(640, 480, orientation: 6)
        let (bytes, expected) = (sample.bytes, try await converter.convert(sample.bytes))
        var zeros = bytes
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [0, 63, 0]) })
        zeros[place + 1] = 0
        let film = Array("\0\0\0\u{18}ftypmp42".utf8) + [UInt8](repeating: 0xFF, count: 90).flatMap { [$0, 0xDA, 7] }
        let files: [String: [UInt8]] = [
            "a film behind the picture": bytes + film, "a gain map": bytes + JPEGSample(32, 24).bytes,
            "zeros in the scan's header": zeros,
            "zeros before the end": bytes.dropLast(2) + [0, 0, 0, 0] + bytes.suffix(2),
            "no end": Array(bytes.dropLast(2)), "no end before a film": bytes.dropLast(2) + film,
            "no end before a gain map": bytes.dropLast(2) + JPEGSample(32, 24).bytes,
            "no end before data of the maker": bytes.dropLast(2) + Array("SEFH\0\0\0SEFT".utf8),
            "zeros between two segments": sample.with([0, 0]),
            "another version of JFIF": sample.with(
                JPEGSample.segment(0xE0, Array("JFIF\0".utf8) + [2, 1, 0, 0, 1, 0, 1, 0, 0])),
        ]
        for (name, file) in files {
            do {
                let photo = try await converter.convert(file)
                #expect(photo == expected, "\(name)")
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
        // A part of the picture is missing.
        for follower in [film, JPEGSample(32, 24).bytes, [0, 0, 0, 0xFF, 0xD9]] {
            #expect(await refusal(of: bytes[..<(bytes.count * 3 / 4)] + follower) == .truncated)
        }
        sample.scans = 3
        let scanned = sample.bytes
        #expect(await refusal(of: scanned + film) == nil)
    }

    @Test("a photo in the colours of Display P3 has the same colours without its profile")
    func colours() async throws {
        var sample = JPEGSample(64, 64)
        // Red, green and blue of (230, 61, 40).
        sample.colours = Array(repeating: (109, 89, 214), count: 4)
        let file = sample.with(Array(ProfileSample.displayP3.segments().joined()))
        for (file, red, green, blue) in [(sample.bytes, 230, 61, 40), (file, 250, 32, 13)] {
            let photo = try await converter.convert(file)
            #expect(try !JPEGHeader(photo.large).hasMetadata)
            let pixel = try TurboJPEG.decode(photo.large, side: 64).bytes.prefix(3).map(Int.init)
            let isNear = zip(pixel, [red, green, blue]).allSatisfy { abs($0 - $1) <= 4 }
            #expect(isNear, "\(pixel)")
        }
    }

    @Test("a file that ends early is refused, wherever it ends")
    func truncated() async throws {
        let file = JPEGSample(640, 480).bytes
        for end in [file.count / 2, file.count - 40] {
            #expect(await refusal(of: Array(file[..<end])) == .truncated)
        }
    }

    @Test("damaged and lying files are refused in bounded time and memory, and never end the registry")
    func hostile() async throws {
        var lying = JPEGSample(8, 8)
        lying.stated = (8000, 6000)
        #expect(await refusal(of: lying.bytes) == .truncated)
        var random = SystemRandomNumberGenerator()
        let file = JPEGSample(320, 240, orientation: 3).bytes
        for _ in 0..<20 {
            var broken = file
            for _ in 0..<8 {
                broken[Int.random(in: 2..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            // Either is fine: what matters is an end.
            _ = await refusal(of: broken)
        }
        var scans = JPEGSample(4000, 4000)
        scans.scans = 32
        _ = await refusal(of: scans.bytes)
    }

    @Test("a photo that takes too much processor time is refused; a process that lacks memory is not the photo’s fault")
    func killed() async throws {
        let slow = try await IsolatedConverter(program: folder.script("kill -XCPU $$", to: "slow"))
        await #expect(throws: DomainError.photoUnusable(.tooComplex)) { _ = try await slow.convert(JPEGSample().bytes) }
        let large = try await IsolatedConverter(program: folder.script("kill -KILL $$", to: "large"))
        let error = await #expect(throws: DomainError.self) { _ = try await large.convert(JPEGSample().bytes) }
        guard case .storageUnavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("memory"))
    }

    @Test("a program that does something else gives no photo and an error for the operator")
    func otherPrograms() async throws {
        for program in ["/bin/true", "/bin/cat", "/nonexistent"] {
            let other = IsolatedConverter(program: program)
            await #expect(throws: DomainError.self) { _ = try await other.convert(JPEGSample().bytes) }
            await #expect(throws: DomainError.self) { try await other.check() }
        }
    }
}
