import Beacons
import Foundation
import Testing

@testable import RegistryAPI

@Suite("Responses with their own JSON writer")
struct JSONWriterTests {
    private func expectSame(_ value: some JSONWritable) throws {
        var json = JSONWriter()
        value.write(to: &json)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: json.bytes, as: UTF8.self) == String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    private static let appearance = BikeAppearance(
        kind: .scooter, make: "Vespa", model: "\"ET4\"\\/é🚲", colours: [.red, .teal])
    private static let id = VisitID(high: 0x019A_A4E1_1C2D_7A3B, low: 0x8C4D_5E6F_7081_9203)

    @Test("the response to a batch is the same as the encoder's")
    func batch() throws {
        try expectSame(VisitBatchResult(results: []))
        let errors = [
            FieldError(pointer: "/visits/2/a~1b", detail: "must be “x”"), FieldError(pointer: "", detail: ""),
        ]
        try expectSame(
            VisitBatchResult(results: [
                VisitResult(id: Self.id, result: .stored, lookFor: Self.appearance),
                VisitResult(id: Self.id, result: .stored, continues: StayID(high: 1, low: 2)),
                VisitResult(id: Self.id, result: .ignored), VisitResult(id: nil, result: .invalid, errors: errors),
            ])
        )
    }

    @Test("a bike is the same as the encoder's", arguments: [false, true])
    func bike(isWhole: Bool) throws {
        var draft = BikeDraft(kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.black])
        if isWhole {
            (draft.year, draft.serial, draft.vin) = (1969, "S-1", "V-2")
            draft.upkeep = BikeUpkeep(taxDue: CalendarDate(day: 1), battery: .aa, batteryMonths: 12)
            (draft.plate, draft.notes) = ("P 3", String((0..<0x80).map { Character(Unicode.Scalar($0)) }))
        }
        let identity = BeaconIdentity(uuid: ProximityUUID(high: 0xABCD, low: 2), major: 1, minor: 65_535)
        try expectSame(
            Bike(
                id: BikeID(high: 1, low: 2), details: draft, identity: identity,
                pending: isWhole ? PendingBeacon(claimed: identity, testEnds: Timestamp(milliseconds: 1)) : nil,
                openReport: isWhole ? ReportID(high: 3, low: .max) : nil,
                created: Timestamp(milliseconds: 1_795_241_585_250)
            )
        )
    }

    @Test("an owner is the same as the encoder's")
    func owner() throws {
        var owner = Owner(id: OwnerID(high: 1, low: 2), created: Timestamp(milliseconds: 1), recoveryCodes: 10)
        try expectSame(owner)
        owner.zone = "Europe/Berlin"
        owner.quietHours = QuietHours(from: TimeOfDay(minute: 1320), to: TimeOfDay(minute: 420))
        try expectSame(owner)
    }
}
