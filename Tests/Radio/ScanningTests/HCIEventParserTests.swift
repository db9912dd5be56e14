import Beacons
import Scanning
import TestSupport
import Testing

/// A controller's reports are a monitor's only source: none may be lost or misread.
@Suite struct HCIEventParserTests {
    private func parse(_ events: [UInt8]...) -> AdvertisementBatch {
        var parser = HCIEventParser()
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))
        for event in events { parser.parse(event.span.bytes, at: ScanInstant(nanoseconds: 5), into: &batch) }
        return batch
    }

    @Test("several legacy reports in one event are read, record by record")
    func severalLegacy() {
        let batch = parse(
            Event.legacy(
                .init(type: 0, address: 0xC0DE_0000_0001, rssi: -40, data: [2, 1, 6]),
                .init(type: 3, addressType: 0, address: 0x0011_2233_4455, rssi: -127, data: []),
                .init(type: 4, addressType: 3, address: 0xFFFF_FFFF_FFFF, rssi: 20, data: Array(1...31))
            )
        )
        #expect(batch.malformed == 0)
        #expect(batch.heard.map(\.data) == [[2, 1, 6], [], Array(1...31)])
        #expect(batch.advertisements.map(\.rssi) == [-40, -127, 20])
        #expect(batch.advertisements.map(\.addressKind) == [.random, .public, .randomIdentity])
        #expect(
            batch.advertisements.map(\.address.description) == [
                "C0:DE:00:00:00:01", "00:11:22:33:44:55", "FF:FF:FF:FF:FF:FF",
            ]
        )
        #expect(batch.advertisements.allSatisfy { $0.time == ScanInstant(nanoseconds: 5) })
    }

    @Test(
        "a legacy type gives the kind of event",
        arguments: [
            (0, [.connectable, .scannable, .legacy]), (1, [.connectable, .directed, .legacy]),
            (2, [.scannable, .legacy]), (3, [.legacy]), (4, [.scanResponse, .legacy]), (5, [.legacy]), (255, [.legacy]),
        ] as [(UInt16, Advertisement.Event)]
    )
    func legacyType(type: UInt16, event: Advertisement.Event) {
        #expect(parse(Event.legacy(.init(type: type))).advertisements.map(\.event) == [event])
    }

    @Test(
        "an extended type's reserved bits are ignored",
        arguments: [
            (0x0010, [.legacy]), (0x8013, [.connectable, .scannable, .legacy]), (0xFF80, []), (0x0008, [.scanResponse]),
            (0x8005, [.connectable, .directed]),
        ] as [(UInt16, Advertisement.Event)]
    )
    func extendedType(type: UInt16, event: Advertisement.Event) {
        let batch = parse(Event.extended(.init(type: type)))
        #expect(batch.advertisements.map(\.event) == [event])
        #expect(batch.malformed == 0)
    }

    @Test("several extended reports in one event are read, even from the coded PHY or an anonymous advertiser")
    func severalExtended() {
        let batch = parse(
            Event.extended(
                .init(type: 0x0000, primaryPHY: 3, rssi: -90, data: Array(repeating: 7, count: 100)),
                .init(type: 0x0001, addressType: 0xFF, address: 0, data: [])
            )
        )
        #expect(batch.malformed == 0)
        #expect(batch.heard.map(\.data) == [Array(repeating: 7, count: 100), []])
        #expect(batch.advertisements.map(\.addressKind) == [.random, .anonymous])
    }

    @Test("a signal strength that HCI does not define is unknown", arguments: [127, 21, -128] as [Int8])
    func unknownRSSI(rssi: Int8) {
        #expect(parse(Event.legacy(.init(type: 0, rssi: rssi))).advertisements.map(\.rssi) == [nil])
        #expect(parse(Event.extended(.init(rssi: rssi))).advertisements.map(\.rssi) == [nil])
    }

    @Test("a report with an unknown address type is kept")
    func reservedAddressType() {
        #expect(parse(Event.legacy(.init(type: 0, addressType: 9))).advertisements.map(\.addressKind) == [.random])
    }

    @Test("both manufacturer structures of a frame are delivered")
    func twoManufacturers() throws {
        let beacon = "1A FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5"
        let data = try #require(bytes(hex: "0A FF 4C 00 10 05 18 18 13 13 AB" + beacon))
        let heard = try #require(parse(Event.extended(.init(type: 0, data: data))).heard.first)
        #expect(IBeacon(advertisingData: heard.data.span.bytes)?.identity.minor == 100)
    }

    @Test("a truncated AD structure in a complete report does not make the event malformed")
    func truncatedStructure() {
        let batch = parse(Event.legacy(.init(type: 0, data: [0x1A, 0xFF, 0x4C])))
        #expect(batch.malformed == 0)
        #expect(batch.heard.map(\.data) == [[0x1A, 0xFF, 0x4C]])
    }

    @Test(
        "other events are skipped, even if their length is wrong",
        arguments: [
            "0E 04 01 03 0C 00", "13 05 01", "3E 13 01 00", "3E 01 0A", "05 00", "FF 10 02 01", "3E 02 0B 01 00",
        ]
    )
    func otherEvents(hex: String) throws {
        #expect(parse(try #require(bytes(hex: hex))).isEmpty)
    }

    @Test(
        "an event with wrong lengths counts as malformed once, and its complete reports are kept",
        arguments: [
            ("", 0), ("3E", 0), ("3E 00", 0), ("0E", 0), ("3E 05", 0),
            // No count; no reports; one missing; header truncated; data truncated; no RSSI.
            ("3E 01 02", 0), ("3E 02 02 00", 0), ("3E 02 02 01", 0), ("3E 06 02 01 00 01 01 00", 0),
            ("3E 0C 02 01 00 01 010000DEC000 03 02 01", 0), ("3E 0E 02 01 00 01 01000000DEC0 03 02 01 06", 0),
            // Complete; then a second one missing, a byte left over, the header too long, too short.
            ("3E 0F 02 02 00 01 01000000DEC0 03 02 01 06 C4", 1),
            ("3E 10 02 01 00 01 01000000DEC0 03 02 01 06 C4 00", 1),
            ("3E 41 02 01 00 01 01000000DEC0 03 02 01 06 C4", 1),
            ("3E 0F 02 01 00 01 01000000DEC0 03 02 01 06 C4 00", 1),
            ("3E 0E 02 01 00 01 01000000DEC0 03 02 01 06 C4", 0),
            // Extended: no count, header truncated, data truncated, a second one missing, a byte left over.
            ("3E 01 0D", 0), ("3E 03 0D 01 10", 0),
            ("3E 1B 0D 01 1000 01 01000000DEC0 01 00 FF 7F C4 0000 00 000000000000 03 02", 0),
            ("3E 1B 0D 02 1000 01 01000000DEC0 01 00 FF 7F C4 0000 00 000000000000 01 02", 1),
            ("3E 1C 0D 01 1000 01 01000000DEC0 01 00 FF 7F C4 0000 00 000000000000 01 02 00", 1),
        ]
    )
    func malformed(hex: String, reports: Int) throws {
        let batch = parse(try #require(bytes(hex: hex)))
        #expect(batch.malformed == 1)
        #expect(batch.advertisements.count == reports)
    }

    @Test("events from another project's tests are parsed where they are valid")
    func published() throws {
        let rows = try String(decoding: Fixture.bytes("hci-events.tsv"), as: UTF8.self).split(separator: "\n")
            .dropFirst()
        var counts: [String: Int] = ["whole": 0, "kept": 0, "lost": 0]
        for row in rows {
            let packet = try #require(bytes(hex: row.split(separator: "\t")[2]))
            let batch = parse(Array(packet.dropFirst()))
            #expect(batch.advertisements.count <= 1)
            // The first octet is the H4 packet type, except where the tests only imitate one.
            #expect(packet[0] == 4 || batch.malformed == 1)
            counts[batch.malformed == 0 ? "whole" : batch.advertisements.isEmpty ? "lost" : "kept", default: 0] += 1
        }
        #expect(counts == ["whole": 5, "kept": 6, "lost": 2])
    }
}
