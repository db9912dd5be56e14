import Foundation
import Photos
import RegistryAPI
import TestSupport
import Testing

@testable import findmybike_registry

@Suite("findmybike bike photo, at a running registry", .timeLimit(.minutes(20)))
struct PhotoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var pictures: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("registry.sqlite.photos"))) ?? []).sorted()
    }

    private func registry() async throws -> LiveRegistry { try await LiveRegistry(in: folder) }

    private func run(_ registry: LiveRegistry, _ arguments: String...) async -> CommandRun {
        await registry.person("home").run(arguments)
    }

    private func start(_ registry: LiveRegistry) async throws { try await registry.person("home").becomeOwner() }

    /// Runs a command of `findmybike-registry` on the registry's settings.
    private func serve(_ command: String, _ arguments: String...) async -> CommandRun {
        await FindMyBikeRegistry.run([command, "--config", folder.file("registry.yaml")] + arguments)
    }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func photos(_ registry: LiveRegistry) async throws -> [Photo] {
        let result = await run(registry, "bike", "photo", "list", "--json")
        #expect(result.status == 0, "\(result.errors)")
        return try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Photo.self, from: Data($0.utf8))
        }
    }

    @Test("an owner adds, lists, gets, orders and removes photos; the camera’s data is gone, and files stay private")
    func life() async throws {
        let registry = try await registry()
        try await start(registry)
        #expect(await run(registry, "bike", "photo", "list").output.contains("has no photos"))
        let left = try write(JPEGSample(2000, 1000, orientation: 6).bytes, to: "left.jpg")
        let right = try write(JPEGSample(320, 240).bytes, to: "right.jpg")
        let added = await run(registry, "bike", "photo", "add", "--file", left, "--file", right)
        #expect(added.status == 0 && added.output.contains("800×1600"), "\(added.errors)")
        let list = try await photos(registry)
        #expect(list.map(\.width) == [800, 320] && pictures.count == 4)
        let ambiguous = await run(registry, "bike", "photo", "get", "--output", folder.file("out.jpg"))
        #expect(ambiguous.status == 64 && ambiguous.errors.contains("--photo"))
        let got = await run(registry, "bike", "photo", "get", "--photo", "1", "--output", folder.file("out.jpg"))
        #expect(got.status == 0, "\(got.errors)")
        let header = try JPEGHeader(Array(Data(contentsOf: URL(fileURLWithPath: folder.file("out.jpg")))))
        #expect(header.width == 800 && header.height == 1600 && !header.hasMetadata)
        let again = await run(registry, "bike", "photo", "get", "--photo", "1", "--output", folder.file("out.jpg"))
        #expect(again.status == 73)
        let small = folder.file("small.jpg")
        #expect(
            await run(registry, "bike", "photo", "get", "--photo", "1", "--size", "small", "-o", small).status == 0)
        #expect(await run(registry, "bike", "photo", "order", "--photos", "2").status == 0)
        #expect(try await photos(registry).map(\.id) == list.map(\.id).reversed())
        #expect(await run(registry, "bike", "photo", "order", "--photos", "1,1").status == 64)
        #expect(await run(registry, "bike", "photo", "order", "--photos", "9").status == 65)
        let export = await run(
            registry, "owner", "export", "--output", folder.file("me.json"), "--photos", folder.file("mine"))
        #expect(export.status == 0, "\(export.errors)")
        let exported = try FileManager.default.contentsOfDirectory(atPath: folder.file("mine"))
        #expect(Set(exported) == Set(list.map { "\($0.id).jpg" }))
        #expect(await run(registry, "bike", "photo", "remove", "--photo", "1").status == 64)
        #expect(await run(registry, "bike", "photo", "remove", "--photo", "1", "--yes").status == 0)
        #expect(try await photos(registry).map(\.id) == [list[0].id] && pictures.count == 2)
        #expect(await run(registry, "owner", "erase", "--yes").status == 0)
        #expect(pictures.isEmpty)
        _ = await registry.stop()
    }

    /// Files that somebody may send, and the beginning of the answer.
    private static var corpus: [(name: String, bytes: [UInt8], detail: String)] {
        let good = JPEGSample(640, 480, orientation: 6).bytes
        var (huge, lying, scans, cmyk) = (JPEGSample(), JPEGSample(), JPEGSample(64, 64), JPEGSample(64, 64).bytes)
        huge.stated = (10_000, 6_000)
        lying.stated = (8000, 6000)
        scans.scans = 3000
        if let frame = cmyk.indices.first(where: { cmyk[$0...].starts(with: [0xFF, 0xC0]) }) {
            // Four components in place of three.
            cmyk.replaceSubrange(frame + 2..<frame + 4, with: [0, 20])
            cmyk[frame + 9] = 4
            cmyk.insert(contentsOf: [4, 0x11, 0], at: frame + 19)
        }
        let png = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [UInt8](repeating: 7, count: 5000)
        return [
            ("empty", [], "The file is empty"), ("png named jpg", png, "This file is not a JPEG photo"),
            ("page", Array("<html><script>alert(1)</script>".utf8), "This file is not a JPEG photo"),
            ("60 megapixels", huge.bytes, "The photo has 60 megapixels; at most 50"),
            ("cut in the picture", Array(good[..<(good.count / 2)]), "The file ends early"),
            ("cut in the header", Array(good[..<100]), "The file ends early"),
            ("48 megapixels without a picture", lying.bytes, "The file ends early"),
            ("3000 scans", scans.bytes, "The photo is stored in a way that no camera uses"),
            ("colours of printing", cmyk, "This is a JPEG file with the colours of printing"),
            ("damaged", good.map { $0 == 0xDA ? 0xDB : $0 }, "The photo is damaged"),
        ]
    }

    @Test("hostile files are refused in words, leave nothing behind, and do not disturb the registry")
    func hostile() async throws {
        let registry = try await registry()
        try await start(registry)
        let token = try String(contentsOfFile: folder.file("home/.config/findmybike/token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let bikes = await run(registry, "bike", "list", "--json").output
        let bike = try JSONDecoder().decode(Bike.self, from: Data(bikes.utf8))
        for (name, bytes, detail) in Self.corpus {
            let path = try write(bytes, to: "hostile.jpg")
            let answer = try await BuiltProgram(path: "/usr/bin/curl").run([
                "--silent", "--max-time", "60", "--header", "Authorization: Bearer \(token)", "--header",
                "Content-Type: image/jpeg", "--data-binary", "@\(path)", "\(registry.url)/v1/bikes/\(bike.id)/photos",
            ])
            let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(answer.output.utf8))
            #expect(problem.status == 422 && problem.detail.hasPrefix(detail), "\(name): \(answer.output)")
            let refused = await run(registry, "bike", "photo", "add", "--file", path)
            #expect(refused.status == 65 && refused.errors.contains(detail), "\(name): \(refused.errors)")
        }
        #expect(pictures.isEmpty)
        for orientation in 1...6 as ClosedRange<UInt16> {
            let path = try write(JPEGSample(64, 48, orientation: orientation).bytes, to: "good.jpg")
            #expect(await run(registry, "bike", "photo", "add", "--file", path).status == 0)
        }
        let full = await run(registry, "bike", "photo", "add", "--file", folder.file("good.jpg"))
        #expect(full.errors.contains("at most 6 photos"))
        let log = await registry.stop()
        #expect(!log.contains("fault") && !log.contains("photos cannot be taken"))
    }

    @Test(
        "of several files, one that is refused is named, and the others are photos; a film behind a picture is not sent"
    )
    func several() async throws {
        let registry = try await registry()
        try await start(registry)
        var paths: [String] = []
        for (index, bytes) in [
            JPEGSample(64, 48).bytes, Array("no photo".utf8),
            JPEGSample(80, 60).bytes + [UInt8](repeating: 1, count: 25 << 20),
            Array(JPEGSample(640, 480).bytes.dropLast(40)), JPEGSample(96, 72).bytes,
        ].enumerated() {
            paths.append(try write(bytes, to: "\(index).jpg"))
        }
        paths.append(folder.file("none.jpg"))
        let files = paths.flatMap { ["--file", $0] }
        let added = await registry.person("home").run(["bike", "photo", "add"] + files)
        #expect(added.status == 66, "\(added.errors)")
        let lines = added.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(added.errors)")
        for (line, (name, reason)) in zip(
            lines, [("1.jpg", "not a JPEG photo"), ("3.jpg", "ends early"), ("none.jpg", "cannot be read")])
        {
            #expect(line.contains(name) && line.contains(reason), "\(line)")
        }
        #expect(try await photos(registry).map(\.width) == [64, 80, 96])
        // The bike has six photos after three more: what follows is not sent, and named.
        let good = ["--file", paths[0]]
        let full = await registry.person("home").run(["bike", "photo", "add"] + good + good + good + good + good)
        #expect(full.status == 65 && full.errors.contains("at most 6 photos"), "\(full.errors)")
        #expect(full.errors.contains("0.jpg: not sent"), "\(full.errors)")
        _ = await registry.stop()
    }

    @Test("pictures without a row, as a crash leaves them, are gone after the next start")
    func orphans() async throws {
        var registry = try await registry()
        try await start(registry)
        let file = try write(JPEGSample().bytes, to: "a.jpg")
        #expect(await run(registry, "bike", "photo", "add", "--file", file).status == 0)
        let kept = pictures
        _ = await registry.stop()
        for name in [
            "\(String(repeating: "ab", count: 16)).large.jpg", "\(String(repeating: "cd", count: 16)).small.jpg.new",
        ] {
            _ = try write([1], to: "registry.sqlite.photos/\(name)")
        }
        #expect(pictures.count == 4)
        registry = try await self.registry()
        #expect(try await photos(registry).count == 1)
        // The round of the start has ended when the registry has.
        #expect(await registry.stop().contains("pictures without a photo deleted") && pictures == kept)
    }

    @Test("a backup holds the photos in its one file, and a restored one has them, but not those of erased bikes")
    func backup() async throws {
        var registry = try await registry()
        try await start(registry)
        let file = try write(JPEGSample(800, 600).bytes, to: "a.jpg")
        #expect(await run(registry, "bike", "photo", "add", "--file", file).status == 0)
        let backup = folder.file("backup.sqlite")
        // Beside the registry, so in a process of its own.
        let made = try await BuiltProgram("findmybike-registry").run(
            ["backup", "--config", folder.file("registry.yaml"), backup])
        #expect(made.status == 0 && !made.errors.contains("missing"), "\(made.errors)")
        #expect(await run(registry, "bike", "photo", "add", "--file", file).status == 0)
        let later = try await photos(registry)
        _ = await registry.stop()
        let restored = await serve("restore", "--force", backup)
        #expect(restored.status == 0, "\(restored.errors)")
        registry = try await self.registry()
        #expect(try await photos(registry).map(\.id) == [later[0].id])
        let out = folder.file("out.jpg")
        #expect(await run(registry, "bike", "photo", "get", "-o", out).status == 0)
        _ = await registry.stop()
        #expect(pictures.count == 2)
        // Back to what was replaced: its second photo is still there.
        let back = await serve("restore", "--force", folder.file("registry.sqlite.replaced"))
        #expect(back.status == 0, "\(back.errors)")
        registry = try await self.registry()
        #expect(
            await run(registry, "bike", "photo", "get", "--photo", "2", "-o", folder.file("second.jpg")).status == 0
        )
        // Onto a machine that has only the backup, after the bike was erased.
        #expect(await run(registry, "bike", "erase", "--yes").status == 0 && pictures.isEmpty)
        _ = await registry.stop()
        let erased = await serve("restore", "--force", backup)
        #expect(erased.status == 0, "\(erased.errors)")
        registry = try await self.registry()
        _ = await registry.stop()
        #expect(pictures.isEmpty)
    }
}
