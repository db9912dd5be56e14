import Beacons
import Scanning
import TestSupport
import Testing

/// A monitor keeps running, whatever a broken controller or a forged capture contains.
@Suite struct HostileEventTests {
    /// Real and synthetic events of every kind, without the H4 packet type.
    static func events() throws -> [[UInt8]] {
        let published = try String(decoding: Fixture.bytes("hci-events.tsv"), as: UTF8.self)
            .split(separator: "\n").dropFirst()
            .map { row in Array(try #require(bytes(hex: row.split(separator: "\t")[2])).dropFirst()) }
        let beacon = try #require(
            bytes(hex: "02 01 06 1A FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5"))
        let made = [
            Event.legacy(.init(type: 0, data: beacon), .init(type: 4, data: beacon)),
            Event.legacy(.init(type: 3, data: beacon)),
            Event.extended(.init(type: 0x0020, data: beacon)),
            Event.extended(.init(type: 0x0000, data: beacon), .init(type: 0x8010, data: beacon)),
            Event.extended(.init(type: 0x0040, data: beacon)),
        ]
        return published + made
    }

    /// Whether each range in a batch lies within its bytes, and each iBeacon in it has its pattern.
    private func isSound(_ batch: AdvertisementBatch) -> Bool {
        var isSound = true
        batch.forEach { report, data in
            guard report.data.upperBound <= batch.bytes.count, data.byteCount == report.data.count else {
                return isSound = false
            }
            guard let beacon = IBeacon(advertisingData: data) else { return }
            let pattern = beacon.manufacturerData
            let frame = batch.bytes[report.data]
            isSound = isSound && frame.indices.contains { frame[$0...].starts(with: pattern) }
        }
        return isSound
    }

    @Test("every truncation of every event counts as malformed, without a crash")
    func truncations() throws {
        for event in try Self.events() {
            for length in 0..<event.count {
                var parser = HCIEventParser()
                var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
                let cut = event.prefix(length)
                parser.parse(cut.span.bytes, at: batch.time, into: &batch)
                #expect(batch.malformed == 1)
                #expect(isSound(batch))
            }
        }
    }

    /// A million events in total; each seed runs independently and reproducibly.
    @Test("random damage to events does not crash the parser", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        let events = try Self.events()
        var random = SeededGenerator(seed: seed)
        var parser = HCIEventParser()
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
        var reports = 0
        var malformed = 0
        for round in 0..<250_000 {
            var event = events[round % events.count]
            let damage = random.next()
            for step in 0...Int(damage & 3) {
                let word = Int(truncatingIfNeeded: damage >> UInt64(4 + step * 14))
                event[(word & 0x3F) % event.count] = UInt8(truncatingIfNeeded: word >> 6)
            }
            parser.parse(event.span.bytes, at: ScanInstant(nanoseconds: Int64(round) * 1000), into: &batch)
            guard round.isMultiple(of: 100) else { continue }
            reports += batch.advertisements.count
            malformed += batch.malformed
            guard isSound(batch) else {
                Issue.record("unsound after \(event)")
                return
            }
            batch.removeAll()
        }
        // Otherwise the damage would be so great, or so small, that nothing is tested.
        #expect(reports > 10_000 && malformed > 10_000)
    }
}
