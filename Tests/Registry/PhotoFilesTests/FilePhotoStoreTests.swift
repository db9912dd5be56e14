import Foundation
import Photos
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import PhotoFiles

@Suite("Pictures of photos as files")
struct FilePhotoStoreTests {
    private let folder: TemporaryFolder
    private let store: FilePhotoStore
    private var path: String { folder.file("registry.sqlite.photos") }

    init() throws {
        folder = try TemporaryFolder()
        store = FilePhotoStore(folder: folder.file("registry.sqlite.photos"))
    }

    private func photo() throws -> ConvertedPhoto {
        try #require(ConvertedPhoto(large: JPEGSample(800, 600).bytes, small: JPEGSample(400, 300).bytes))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test("both pictures come back; they are in files of random names that only their user can read")
    func roundTrip() async throws {
        let (photo, name) = (try photo(), PhotoName(high: 7, low: .max))
        #expect(try await store.whole(name, .large) == nil)
        try await store.put(photo, as: name)
        #expect(try await store.whole(name, .large) == photo.large)
        #expect(try await store.whole(name, .small) == photo.small)
        #expect(
            try files() == ["0000000000000007ffffffffffffffff.large.jpg", "0000000000000007ffffffffffffffff.small.jpg"])
        for file in try files() {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("removing deletes both pictures and what an interrupted upload left, and ignores what is not there")
    func removal() async throws {
        let names = [PhotoName(high: 1, low: 1), PhotoName(high: 2, low: 2)]
        for name in names { try await store.put(try photo(), as: name) }
        try Data("half".utf8).write(
            to: URL(fileURLWithPath: path + "/00000000000000020000000000000002.large.jpg.new"))
        try Data("other".utf8).write(to: URL(fileURLWithPath: path + "/README"))
        try await store.remove([names[1], PhotoName(high: 3, low: 3)])
        #expect(
            try files() == [
                "00000000000000010000000000000001.large.jpg", "00000000000000010000000000000001.small.jpg", "README",
            ])
        #expect(try await all() == [names[0]])
    }

    private func all() async throws -> [PhotoName] {
        let seen = Seen()
        try await store.eachNames(atMost: 1) { await seen.add($0) }
        return await seen.names
    }

    private actor Seen {
        var names: [PhotoName] = []
        func add(_ more: [PhotoName]) { names += more }
    }

    @Test("a second folder keeps the pictures that the first one loses")
    func links() async throws {
        let name = PhotoName(high: 1, low: 2)
        try await store.put(try photo(), as: name)
        let second = FilePhotoStore(folder: folder.file("second.photos"))
        for _ in 1...2 { try store.link(to: folder.file("second.photos")) }
        try await store.remove([name])
        #expect(try await second.whole(name, .large) == photo().large)
    }
}
