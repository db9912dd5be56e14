import FoundationEssentials
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("Merge patches")
struct PatchTests {
    private let now = HandClock().now

    @Test("what a client writes is what the registry reads")
    func roundTrip() throws {
        let patch = BikePatch(
            kind: .scooter, colours: [.red, .white], year: .set(1999), serial: .remove, notes: .set("a\nb")
        )
        let read = try BodyParser.parse(
            Array(try JSONEncoder().encode(patch)), as: BikePatch.rule(now: now), unknownFields: .refused
        )
        #expect(read == patch)
        let report = MissingReportPatch(
            lastPlace: .set(Samples.place), policeReference: .set("R"), note: .remove,
            heldUntil: .set(now.advanced(by: .seconds(60)))
        )
        let body = Array(try JSONEncoder().encode(report))
        let rule = MissingReportPatch.rule(now: now)
        #expect(try BodyParser.parse(body, as: rule, unknownFields: .refused) == report)
    }

    @Test("an empty patch changes nothing", arguments: ["{}"])
    func empty(body: String) throws {
        let patch = try BodyParser.parse(Array(body.utf8), as: BikePatch.rule(now: now), unknownFields: .refused)
        #expect(patch == BikePatch())
    }

    @Test(
        "what every bike has cannot be removed, and bounds hold as at registration",
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

    @Test("the second beacon of two ways is refused")
    func beacon() {
        let id = "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
        let body = """
            {"exchangedWith":"\(id)","identity":{"uuid":"494E5445-4C4C-495F-524F-434B535F4857","major":1,"minor":1}}
            """
        #expect(throws: RequestRefusal.self) {
            try BodyParser.parse(Array(body.utf8), as: BeaconChange.rule, unknownFields: .refused)
        }
    }
}
