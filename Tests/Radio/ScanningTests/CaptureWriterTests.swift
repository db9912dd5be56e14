import Beacons
import Foundation
import TestSupport
import Testing

@testable import Scanning

/// A capture may be evidence: everything heard must be in it, complete, and a full disk must not damage its content.
@Suite struct CaptureWriterTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("written.btsnoop")
    }

    static func unix(_ instant: ScanInstant) -> Int64 { instant.nanoseconds }

    /// Reports of every kind that a scanner can hear.
    static var everyKind: AdvertisementBatch {
        let events: [Advertisement.Event] = [
            [.legacy], [.connectable, .scannable, .legacy], [.connectable, .directed, .legacy], [.scannable, .legacy],
            [.scanResponse, .legacy], [.connectable, .scannable, .scanResponse, .legacy], [], [.connectable],
        ]
        let kinds: [BluetoothAddress.Kind] = [.public, .random, .publicIdentity, .randomIdentity, .anonymous]
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
        for (index, event) in events.enumerated() {
            for length in event.contains(.legacy) ? [0, 1, 31] : [0, 31, 32, 229, 230, 458, 459, 1650] {
                let data = advertisingData(length: length)
                batch.append(
                    time: ScanInstant(
                        nanoseconds: 1_700_000_000_000_000_000 + Int64(batch.advertisements.count) * 1000),
                    address: BluetoothAddress(0xC0DE_0000_0000 + UInt64(index)),
                    addressKind: kinds[(index + length) % kinds.count],
                    rssi: length == 31 ? nil : Int8(-127 + index * 21),
                    event: event,
                    data: data.span.bytes
                )
            }
        }
        return batch
    }

    /// AD structures of a given total length. None spans two events, since programs parse each event separately.
    private static func advertisingData(length: Int) -> [UInt8] {
        var data: [UInt8] = []
        while data.count < length {
            let room = min(length, (data.count / 229 + 1) * 229) - data.count
            // The remainder must have room for a structure with a company identifier.
            let size = room <= 31 ? room : min(room - 4, 31)
            data.append(UInt8(size - 1))
            if size > 1 { data.append(0xFF) }
            data += (1..<size).dropFirst().map { UInt8(truncatingIfNeeded: $0 + data.count) }
        }
        return data
    }

    @Test("a written capture is read back unchanged")
    func roundTrip() async throws {
        let batch = Self.everyKind
        let writer = try CaptureWriter(path: path, unixTime: Self.unix)
        try writer.append(batch)
        try writer.append(AdvertisementBatch(time: batch.time))
        try writer.close()
        let scanner = ReplayScanner(path: path, pacing: .asFastAsPossible)
        let read = try await scanner.allBatches()
        #expect(read.flatMap(\.heard) == batch.heard)
        #expect(scanner.summary?.malformed == 0)
        #expect(scanner.summary?.truncation == nil)
    }

    @Test("a report over 31 bytes that claims to be legacy is written as an extended report")
    func impossibleLegacy() async throws {
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
        let data = [UInt8](repeating: 1, count: 500)
        batch.append(
            time: batch.time,
            address: BluetoothAddress(1),
            addressKind: .public,
            rssi: -1,
            event: [.legacy, .scannable],
            data: data.span.bytes
        )
        try CaptureWriter(path: path, unixTime: Self.unix).append(batch)
        let read = try await ReplayScanner(path: path, pacing: .asFastAsPossible).allBatches().flatMap(\.heard)
        #expect(read.map(\.data) == [data])
        #expect(read.map(\.report.event) == [.scannable])
    }

    @Test("the time line is mapped to Unix time")
    func unixTime() throws {
        let writer = try CaptureWriter(path: path) { $0.nanoseconds + 1_000_000_000 }
        try writer.append(Self.everyKind)
        let span = try ReplayScanner(path: path, pacing: .asFastAsPossible).timeSpan()
        #expect(span?.lowerBound.nanoseconds == 1_700_000_001_000_000_000)
    }

    @Test("a capture is valid, private and empty as soon as it is created")
    func header() throws {
        let writer = try CaptureWriter(path: path, unixTime: Self.unix)
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == SyntheticCapture().bytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try ReplayScanner(path: path, pacing: .asFastAsPossible).timeSpan() == nil)
        try writer.close()
    }

    @Test("an existing file is never overwritten")
    func existing() throws {
        try Data("precious".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: CaptureError.self) { try CaptureWriter(path: path, unixTime: Self.unix) }
        #expect(error.map { "\($0)" }?.hasSuffix("it exists already; name another file or remove it") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
    }

    @Test("a missing folder is reported with the system's message")
    func noFolder() throws {
        let path = folder.file("none/capture")
        let error = #expect(throws: CaptureError.self) { try CaptureWriter(path: path, unixTime: Self.unix) }
        #expect(error.map { "\($0)" } == "cannot create ‘\(path)’: No such file or directory")
    }

    @Test("each batch is one write")
    func writes() throws {
        var lengths: [Int] = []
        let writer = try CaptureWriter(path: path, unixTime: Self.unix) { descriptor, bytes in
            lengths.append(bytes.count)
            return write(descriptor, bytes.baseAddress, bytes.count)
        }
        try writer.append(Self.everyKind)
        #expect(lengths.count == 2)
        #expect(try Data(contentsOf: URL(filePath: path)).count == lengths.reduce(0, +))
    }

    @Test("a full disk is reported, leaves complete records, and writing resumes when there is room again")
    func fullDisk() async throws {
        var room = Int.max
        let writer = try CaptureWriter(path: path, unixTime: Self.unix) { descriptor, bytes in
            let count = min(room, bytes.count)
            guard count > 0 else {
                errno = ENOSPC
                return -1
            }
            room -= count
            return write(descriptor, bytes.baseAddress, count)
        }
        try writer.append(Self.everyKind)
        let whole = try Data(contentsOf: URL(filePath: path))
        room = 100
        let error = #expect(throws: CaptureError.self) { try writer.append(Self.everyKind) }
        #expect(error.map { "\($0)" } == "cannot write ‘\(path)’: No space left on device")
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        room = .max
        try writer.append(Self.everyKind)
        let read = try await ReplayScanner(path: path, pacing: .asFastAsPossible).allBatches().flatMap(\.heard)
        #expect(read.count == 2 * Self.everyKind.advertisements.count)
    }

    @Test("an interrupted or partial write is completed")
    func shortWrites() async throws {
        var calls = 0
        let writer = try CaptureWriter(path: path, unixTime: Self.unix) { descriptor, bytes in
            calls += 1
            guard calls.isMultiple(of: 2) else {
                errno = EINTR
                return -1
            }
            return write(descriptor, bytes.baseAddress, min(bytes.count, 10))
        }
        try writer.append(Self.everyKind)
        let read = try await ReplayScanner(path: path, pacing: .asFastAsPossible).allBatches().flatMap(\.heard)
        #expect(read == Self.everyKind.heard)
    }

    @Test("appending after closing fails")
    func closed() throws {
        let writer = try CaptureWriter(path: path, unixTime: Self.unix)
        try writer.close()
        try writer.close()
        #expect(throws: CaptureError.self) { try writer.append(Self.everyKind) }
    }
}
