import Beacons
import FoundationEssentials
import RegistryAPI
import Testing

@Suite("Merge patches")
struct PatchTests {
    private let now = Timestamp(milliseconds: 1_795_262_400_000)

    @Test("the registry reads the patch that a client writes")
    func roundTrip() throws {
        var patch = BikePatch(["kind": "scooter", "serial": .null, "notes": "a\nb"])
        try patch.set("colours", [BikeColour.red, .white])
        try patch.set("year", 1999)
        try patch.set("make", String?.none)
        let read = try BodyParser.parse(
            Array(try JSONEncoder().encode(patch)), as: BikePatch.rule(now: now), unknownFields: .refused
        )
        #expect(read == patch)
        var report = MissingReportPatch(["policeReference": "R", "note": .null])
        try report.set("lastPlace", Place(latitude: 51.5, longitude: -0.12))
        try report.set("heldUntil", now.advanced(by: .seconds(60)))
        let body = Array(try JSONEncoder().encode(report))
        let rule = MissingReportPatch.rule(now: now)
        #expect(try BodyParser.parse(body, as: rule, unknownFields: .refused) == report)
    }

    @Test("a patch changes only the named fields, even within upkeep")
    func applied() throws {
        var bike = Bike(
            id: BikeID(high: 1, low: 2),
            details: BikeDraft(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green]),
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 7), major: 1, minor: 1), openReport: nil,
            created: now)
        (bike.serial, bike.upkeep) = ("S", BikeUpkeep(battery: .cr2032, batteryMonths: 12))
        var changed = bike
        (changed.kind, changed.serial, changed.notes) = (.scooter, nil, "n")
        changed.upkeep?.battery = nil
        let patch = BikePatch([
            "kind": "scooter", "serial": .null, "notes": "n", "upkeep": .object(["battery": .null]),
        ])
        #expect(patch.applied(to: bike, at: now) == changed)
        let last = BikePatch(["upkeep": .object(["batteryMonths": .null])])
        changed.upkeep = nil
        #expect(last.applied(to: patch.applied(to: bike, at: now), at: now) == changed)
    }

    @Test("changing the reference or the force removes the confirmation by an operator")
    func confirmation() {
        let report = MissingReport(
            id: ReportID(high: 1, low: 2), bike: BikeID(high: 1, low: 2), opened: now, missingSince: now,
            policeReference: "R", confirmed: now)
        #expect(
            MissingReportPatch(["note": "n", "policeReference": "R"]).applied(to: report, at: now).confirmed == now)
        #expect(MissingReportPatch(["policeForce": "F"]).applied(to: report, at: now).confirmed == nil)
    }

    @Test("an empty patch changes nothing", arguments: ["{}"])
    func empty(body: String) throws {
        let patch = try BodyParser.parse(Array(body.utf8), as: BikePatch.rule(now: now), unknownFields: .refused)
        #expect(patch == BikePatch())
    }

    @Test(
        "required fields cannot be removed, and the bounds are those of registration",
        arguments: [
            (#"{"kind":null}"#, "/kind"), (#"{"make":""}"#, "/make"), (#"{"colours":["red","red"]}"#, "/colours"),
            (#"{"year":1800}"#, "/year"), (#"{"notes":7}"#, "/notes"), (#"{"id":"x"}"#, "/id"), ("[]", ""),
        ]
    )
    func refused(body: String, pointer: String) {
        let refusal = #expect(throws: RequestRefusal.self) {
            try BodyParser.parse(Array(body.utf8), as: BikePatch.rule(now: now), unknownFields: .refused)
        }
        guard case .fields(let errors) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(errors.map(\.pointer) == [pointer])
    }

    @Test("a change with both an exchange and a given identity is refused")
    func beacon() {
        let id = "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
        let body = """
            {"exchangedWith":"\(id)","identity":{"uuid":"494E5445-4C4C-495F-524F-434B535F4857","major":1,"minor":1}}
            """
        #expect(throws: RequestRefusal.self) {
            try BodyParser.parse(Array(body.utf8), as: BeaconChange.rule(now: now), unknownFields: .refused)
        }
    }
}
