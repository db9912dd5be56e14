import Foundation
import GRDB
import RegistryAPI
import StationStatus
import TestSupport
import Testing

@testable import Monitor

/// A failing card must neither stop the station nor lose visits silently.
@Suite("A damaged outbox")
struct OutboxDamageTests {
    private let folder: TemporaryFolder
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.file("outbox.sqlite") }

    /// A closed outbox with this number of visits.
    private mutating func fill(_ count: Int) async throws {
        let outbox = try Outbox(path: path)
        try await outbox.record((0..<count).map { _ in maker.visit(ended: true) })
        try await outbox.database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try outbox.database.close()
    }

    private func overwrite(at share: Double, with byte: UInt8, count: Int) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = Int(Double(data.count) * share)
        for index in start..<min(data.count, start + count) { data[index] = byte }
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test("a file that is not a database is set aside and counted, and a new one is created")
    func noDatabase() async throws {
        let text = String(repeating: "not a database ", count: 100)
        _ = try folder.write(text, to: "outbox.sqlite")
        let outbox = try Outbox(path: path)
        #expect(try await outbox.summary().tally == [.damagedFiles: 1])
        #expect(Outbox.filesSetAside(beside: path) == [path + ".damaged-1"])
        #expect(try String(contentsOfFile: path + ".damaged-1", encoding: .utf8) == text)
        #expect(try await OutboxContents(readFrom: path).damagedFiles.count == 1)
    }

    @Test("the readable part of a damaged outbox is kept", arguments: [0.3, 0.5, 0.8])
    mutating func salvage(share: Double) async throws {
        try await fill(500)
        try overwrite(at: share, with: 0x5A, count: 8192)
        let outbox = try Outbox(path: path)
        let summary = try await outbox.summary()
        #expect(summary.tally[.damagedFiles] == 1)
        #expect(summary.waiting == summary.tally[.salvaged])
        #expect(summary.waiting >= 400, "\(summary.waiting)")
        #expect(summary.waiting < 500)
        let second = try Outbox(path: path)
        #expect(Outbox.filesSetAside(beside: path).count == 1)
        #expect(try await second.depth() == summary.waiting)
    }

    @Test("damage found while the monitor runs ends it, the error says what to do, and the next start repairs it")
    mutating func damageAtRunTime() async throws {
        // Larger than the cache.
        try await fill(5000)
        let outbox = try Outbox(path: path)
        try overwrite(at: 0.1, with: 0x5A, count: 10_000_000)
        let error = await #expect(throws: OutboxError.self) { try await outbox.record([maker.visit()]) }
        #expect(error?.description.contains("start the monitor again") == true)
        #expect(try await Outbox(path: path).summary().tally[.damagedFiles] == 1)
    }
}
