import Foundation
import MissingList
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import Monitor

@Suite("The missing list on disk")
struct ListFilesTests {
    private let folder: TemporaryFolder
    private let history = ListHistory(seed: 1, bikes: 40, versions: 12)
    private var path: String { folder.file("missing-list") }

    init() throws { folder = try TemporaryFolder() }

    private func files() -> ListFiles { ListFiles(path: path) { _ in } }

    /// Writes a list and some changes to it.
    private func keep(changes: Int) throws {
        let files = files()
        try files.replace(with: history.lists[0].encoded)
        for index in 0..<changes { try files.append(history.deltas[index + 1], making: history.lists[index + 1]) }
    }

    private func bytes(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    @Test("without a file there is no list")
    func none() {
        #expect(files().read() == nil)
    }

    @Test("a list and its changes are there after a restart", arguments: [0, 1, 11])
    func restart(changes: Int) throws {
        try keep(changes: changes)
        let read = try #require(files().read())
        #expect(read.list.version == history.lists[changes].version)
        #expect(read.list.digest == history.lists[changes].digest)
        #expect(abs(read.written.timeIntervalSinceNow) < 60)
    }

    @Test("a restarted station continues to append changes")
    func addsAfterRestart() throws {
        try keep(changes: 3)
        let files = files()
        _ = files.read()
        try files.append(history.deltas[4], making: history.lists[4])
        #expect(self.files().read()?.list.digest == history.lists[4].digest)
    }

    @Test("a change writes only its own bytes, and the file of changes is bounded")
    func fewWrites() throws {
        let long = ListHistory(seed: 2, bikes: 500, versions: 50)
        let files = files()
        try files.replace(with: long.lists[0].encoded)
        let list = try bytes(path)
        for index in 1...20 { try files.append(long.deltas[index], making: long.lists[index]) }
        #expect(try bytes(path) == list)
        for index in 21..<50 { try files.append(long.deltas[index], making: long.lists[index]) }
        #expect(try bytes(path + ".changes").count < 33 * 200)
        #expect(self.files().read()?.list.digest == long.lists[49].digest)
    }

    @Test("long writes wait ten minutes, short ones do not, and what waited is written once it is due")
    func longWrites() throws {
        let long = ListHistory(seed: 3, bikes: 30_000, versions: 4)
        let clock = Mutex(ContinuousClock.now)
        let files = ListFiles(path: path, now: { clock.withLock(\.self) }) { _ in }
        func version() throws -> ListVersion? { ListFiles(path: path) { _ in }.read()?.list.version }
        try files.replace(with: long.lists[0].encoded)
        // A short change is written at once.
        try files.append(long.deltas[1], making: long.lists[1])
        #expect(try version() == long.lists[1].version)
        // Another full list is not, nor the short change after it, which has no list in the files.
        try files.replace(with: long.lists[2].encoded)
        try files.append(long.deltas[3], making: long.lists[3])
        try files.writePostponed(long.lists[3])
        #expect(try version() == long.lists[1].version)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        files.touch()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == before)
        clock.withLock { $0 += ListFiles.longWriteInterval }
        try files.writePostponed(long.lists[3])
        #expect(try version() == long.lists[3].version)
        // Once is enough, and changes are appended again.
        clock.withLock { $0 += ListFiles.longWriteInterval }
        try FileManager.default.removeItem(atPath: path)
        try files.writePostponed(long.lists[3])
        #expect(try version() == nil)
    }

    @Test("a power cut at any point while a change is written leaves the list before or after it")
    func tornChange() throws {
        try keep(changes: 3)
        let whole = try bytes(path + ".changes")
        let before = whole.count - history.deltas[3].count - 4
        for length in stride(from: 0, through: whole.count, by: 3) {
            try keep(changes: 0)
            try write(Array(whole.prefix(length)), to: path + ".changes")
            let files = files()
            let list = try #require(files.read()?.list)
            #expect(history.lists.prefix(4).contains { $0.digest == list.digest && $0.version == list.version })
            guard length >= before, length < whole.count else { continue }
            #expect(list.version == history.lists[2].version)
            try files.append(history.deltas[3], making: history.lists[3])
            #expect(self.files().read()?.list.digest == history.lists[3].digest)
        }
    }

    @Test("a power cut while a list is written leaves the previous list, whatever files are beside it")
    func tornList() throws {
        let later = history.lists[5].encoded
        for length in stride(from: 0, through: later.count, by: 7) {
            try keep(changes: 2)
            try write(Array(later.prefix(length)), to: path + ".new")
            #expect(files().read()?.list.version == history.lists[2].version)
        }
    }

    @Test("changes to a list that has been replaced are ignored")
    func leftovers() throws {
        try keep(changes: 4)
        let leftovers = try bytes(path + ".changes")
        let files = files()
        try files.replace(with: history.lists[6].encoded)
        try write(leftovers, to: path + ".changes")
        #expect(self.files().read()?.list.version == history.lists[6].version)
        let again = self.files()
        _ = again.read()
        try again.append(history.deltas[7], making: history.lists[7])
        #expect(self.files().read()?.list.version == history.lists[7].version)
    }

    @Test("a list damaged at any byte is ignored")
    func damagedList() throws {
        try keep(changes: 0)
        let whole = try bytes(path)
        for offset in 0..<whole.count where !(8..<24).contains(offset) {
            var damaged = whole
            damaged[offset] ^= 0x55
            try write(damaged, to: path)
            #expect(files().read() == nil, "at \(offset)")
        }
    }

    @Test("if a change is damaged at any byte, the list before it is used")
    func damagedChange() throws {
        try keep(changes: 1)
        let whole = try bytes(path + ".changes")
        for offset in whole.indices where !(12..<28).contains(offset) {
            var damaged = whole
            damaged[offset] ^= 0x55
            try write(damaged, to: path + ".changes")
            #expect(files().read()?.list.version == history.lists[0].version, "at \(offset)")
        }
    }

    @Test("an unwritable folder is an error that names file and reason")
    func notWritable() {
        let files = ListFiles(path: "/proc/missing-list") { _ in }
        let error = #expect(throws: FileFailure.self) { try files.replace(with: history.lists[0].encoded) }
        #expect(error?.description.contains("/proc/missing-list") == true)
    }
}
