import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

/// If a file cannot be played, the error says why and what to do; a file that changes during a replay stops nothing.
@Suite struct ReplayFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func message(_ path: String) -> String {
        do throws(CaptureError) {
            _ = try ReplayScanner(path: path, pacing: .asFastAsPossible).batches()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test("a missing file, a folder, a pipe and a file that is not a capture have different errors")
    func errors() throws {
        #expect(message(folder.file("none")) == "cannot open ‘\(folder.file("none"))’: No such file or directory")
        #expect(message(folder.file("")).hasSuffix("not a regular file; save the capture to a file first"))
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(message(pipe).hasSuffix("not a regular file; save the capture to a file first"))
        let text = folder.file("text")
        try Data("hello, world".utf8).write(to: URL(filePath: text))
        #expect(message(text).hasSuffix("not a btsnoop capture; record one with ‘btmon -w FILE’"))
        let empty = folder.file("empty")
        try Data().write(to: URL(filePath: empty))
        #expect(message(empty).hasSuffix("it ends after 0 of the header's 16 bytes"))
        #expect(
            message(try SyntheticCapture(datalink: 201).saved(in: folder)).contains("datalink 201 is not supported"))
    }

    @Test("everything before the damage is played, then the damage is reported, and the replay ends")
    func damage() async throws {
        var capture = SyntheticCapture()
        for time in 0..<3 as Range<Int64> { capture.record(at: time, [4] + Event.legacy(.init(type: 0))) }
        let offset = capture.bytes.count
        let damaged = Data(capture.bytes) + Data(repeating: 0xFF, count: 100)
        let path = folder.file("damaged")
        try damaged.write(to: URL(filePath: path))
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        var iterator = try scanner.batches().makeAsyncIterator()
        var reports = 0
        let error = await #expect(throws: CaptureError.self) {
            while let batch = try await iterator.next() { reports += batch.advertisements.count }
        }
        #expect(reports == 3)
        #expect(error?.reason == .format(.oversizedRecord(offset: offset, byteCount: .max)))
        #expect(try await iterator.next() == nil)
        #expect(scanner.summary == nil)
    }

    @Test("a capture that grows during replay is played to its new end")
    func growing() async throws {
        var capture = SyntheticCapture()
        capture.record(at: 0, [4] + Event.legacy(.init(type: 0)))
        let path = try capture.saved(in: folder)
        var iterator = try ReplayScanner(path: path, pacing: .asFastAsPossible).batches().makeAsyncIterator()
        #expect(try await iterator.next()?.isEmpty == true)
        let old = capture.bytes.count
        capture.record(at: 1, [4] + Event.legacy(.init(type: 0)))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: capture.bytes.dropFirst(old))
        try file.close()
        #expect(try await iterator.next()?.advertisements.count == 2)
        #expect(try await iterator.next() == nil)
    }

    @Test("a capture that shrinks during replay ends there, truncated")
    func shrinking() async throws {
        var capture = SyntheticCapture()
        for index in 0..<5000 as Range<Int64> { capture.record(at: index * 1000, [4] + Event.legacy(.init(type: 0))) }
        let path = try capture.saved(in: folder)
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        var iterator = try scanner.batches().makeAsyncIterator()
        _ = try await iterator.next()
        // Beyond what the reader has read by now, and in the middle of a record.
        let record = (capture.bytes.count - 16) / 5000
        try #require(truncate(path, 16 + 3000 * record + 30) == 0)
        var reports = 0
        while let batch = try await iterator.next() { reports += batch.advertisements.count }
        #expect(reports == 3000)
        #expect(scanner.summary?.truncation?.offset == 16 + 3000 * record)
        #expect(scanner.summary?.truncation?.missingByteCount == record - 30)
    }

    @Test("records that cross the boundaries of read chunks are complete")
    func pieces() async throws {
        var capture = SyntheticCapture()
        let event = [4] + Event.extended(.init(type: 0, data: Array(repeating: 9, count: 229)))
        for index in 0..<20_000 as Range<Int64> { capture.record(at: index * 100, event) }
        let path = try capture.saved(in: folder)
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        var reports = 0
        for try await batch in try scanner.batches() { reports += batch.advertisements.count }
        #expect(reports == 20_000)
        #expect(scanner.summary?.records == 20_000)
    }
}
