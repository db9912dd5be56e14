import Beacons
import Evidence
import Foundation
import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistrySQL

@Suite("The record of a sighting")
struct SightingRecordTests {
    private static let time = Timestamp(milliseconds: 1_795_262_400_123)

    private static var visit: Visit {
        Visit(
            id: VisitID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210), stay: StayID(high: 2, low: 3),
            identity: Samples.identity(1), firstSeen: time, lastSeen: time.advanced(by: .seconds(60)), count: 7,
            rssi: SignalStrength(min: -80, max: -60), measuredPower: -59, proximity: .near,
            place: Place(latitude: 51.5, longitude: -0.125, accuracy: 10), ended: true, timeUncertain: true,
            confirmation: VisitConfirmation(answer: .seen, time: time),
            receiver: VenueReceiver(
                name: "bar \"2\"", place: Place(latitude: 0, longitude: 1.25, accuracy: 1e-7)))
    }

    private static func record(_ visit: Visit, slot: Int64? = nil) -> SightingRecord {
        SightingRecord(
            visit, slot: slot, station: StationID(high: 4, low: 5), report: ReportID(high: 6, low: 7),
            received: time)
    }

    @Test("the fields are in the order of their names, as in JSON with sorted keys")
    func sorted() throws {
        var plain = Self.visit
        (plain.place, plain.receiver, plain.confirmation, plain.rssi) = (nil, nil, nil, nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for record in [Self.record(Self.visit, slot: 9), Self.record(plain)] {
            let text = String(decoding: record.canonical, as: UTF8.self)
            #expect(text == String(decoding: try encoder.encode(record), as: UTF8.self))
            #expect(SightingRecord(record.fields.shuffled()) == record)
            #expect(try JSONDecoder().decode(SightingRecord.self, from: Data(record.canonical)) == record)
        }
    }

    @Test("the text is the one that entries of the audit commit to")
    func text() {
        #expect(
            String(decoding: Self.record(Self.visit, slot: 9).canonical, as: UTF8.self)
                == #"{"accuracy":"10.0","answer":"seen","answered":"2026-11-21T12:00:00.123Z","#
                + #""beacon":"\#(Samples.identity(1))","count":"7","ended":"true","#
                + #""firstSeen":"2026-11-21T12:00:00.123Z","lastSeen":"2026-11-21T12:01:00.123Z","#
                + #""latitude":"51.5","longitude":"-0.125","measuredPower":"-59","proximity":"near","#
                + #""received":"2026-11-21T12:00:00.123Z","receiver":"bar \"2\"","receiverAccuracy":"1e-07","#
                + #""receiverLatitude":"0.0","receiverLongitude":"1.25","#
                + #""report":"00000000-0000-0006-0000-000000000007","rssiMax":"-60","rssiMin":"-80","#
                + #""sighting":"01234567-89ab-cdef-fedc-ba9876543210","slot":"9","#
                + #""station":"00000000-0000-0004-0000-000000000005","#
                + #""stay":"00000000-0000-0002-0000-000000000003","timeUncertain":"true"}"#)
    }
}
