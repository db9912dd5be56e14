import Beacons
import Foundation
import Testing

@testable import RegistryAPI

@Suite("Batches of visits")
struct VisitBatchReadingTests {
    static let visit = """
        {"id":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819203","stay":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819204",\
        "identity":{"uuid":"494E5445-4C4C-495F-524F-434B535F4857","major":1,"minor":2},\
        "firstSeen":"2026-11-21T06:13:05Z","lastSeen":"2026-11-21T06:14:05.250Z","count":5,\
        "rssi":{"min":-80,"max":-60},"measuredPower":-59,"proximity":"near","ended":false}
        """
    static let batch = #"{"visits":[\#(visit)]}"#

    private static func pointers(_ visit: String) throws -> [String] {
        let entries = try VisitBatchReading(Array(#"{"visits":[\#(Self.visit),\#(visit)]}"#.utf8)).entries
        guard case .visit = entries.first, case .invalid(_, let errors) = entries.last else { return [] }
        return errors.map(\.pointer)
    }

    @Test("a visit is read with every field")
    func valid() throws {
        let entries = try VisitBatchReading(Array(Self.batch.utf8)).entries
        guard case .visit(let visit) = entries.first else {
            Issue.record("\(entries)")
            return
        }
        let decoded = try JSONDecoder().decode(VisitBatch.self, from: Data(Self.batch.utf8))
        #expect([visit] == decoded.visits)
    }

    @Test(
        "a batch is for partners unless the venue says something else",
        arguments: [
            ("", true), (#","partners":true"#, true), (#","partners":null"#, true), (#","partners":false"#, false),
            (#","partners":"yes""#, false), (#","partners":0"#, false),
        ])
    func partners(field: String, isForPartners: Bool) throws {
        let reading = try VisitBatchReading(Array(#"{"visits":[\#(Self.visit)]\#(field)}"#.utf8))
        #expect(reading.isForPartners == isForPartners && reading.entries.count == 1)
    }

    @Test("a visit encoded by a station is read back", arguments: [nil, true, false])
    func roundTrip(timeUncertain: Bool?) throws {
        var batch = try JSONDecoder().decode(VisitBatch.self, from: Data(Self.batch.utf8))
        batch.visits[0].timeUncertain = timeUncertain
        batch.visits[0].place = Place(latitude: -90, longitude: 180, accuracy: 0)
        batch.visits[0].secondsAgo = 0.25
        batch.visits[0].receiver = VenueReceiver(name: "Kueche_1.b-c", place: Place(latitude: 1, longitude: 2))
        batch.visits[0].confirmation = VisitConfirmation(answer: .seen, time: Timestamp(milliseconds: 0))
        let entries = try VisitBatchReading([UInt8](try JSONEncoder().encode(batch))).entries
        #expect(entries == [.visit(batch.visits[0])])
    }

    @Test(
        "each invalid field is named, and the other visits are accepted",
        arguments: [
            (#""id":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819203""#, #""id":7"#, "/visits/1/id"),
            (#""stay":"019aa4e1-1c2d-7a3b-8c4d-5e6f70819204","#, "", "/visits/1/stay"),
            (#""major":1"#, #""major":65536"#, "/visits/1/identity/major"),
            (#""minor":2"#, #""minor":-1"#, "/visits/1/identity/minor"),
            ("494E5445-4C4C", "494E5445-4C4", "/visits/1/identity/uuid"),
            ("2026-11-21T06:13:05Z", "2026-02-30T06:13:05Z", "/visits/1/firstSeen"),
            ("06:14:05.250Z", "06:14:05.250", "/visits/1/lastSeen"),
            ("false", #"false,"secondsAgo":-1"#, "/visits/1/secondsAgo"),
            ("false", #"false,"secondsAgo":2592001"#, "/visits/1/secondsAgo"),
        ]
    )
    func invalidField(field: String, replacement: String, pointer: String) throws {
        #expect(try Self.pointers(Self.visit.replacing(field, with: replacement)) == [pointer])
    }

    @Test(
        "fields that a transmitter near the bike can falsify, and optional details, never make a visit invalid",
        arguments: [
            (#""count":5"#, #""count":0"#, #""count":1"#), (#""count":5"#, #""count":-3.5"#, #""count":1"#),
            (#""count":5"#, #""count":9007199254740993"#, #""count":9007199254740992"#),
            (#""count":5"#, #""count":1e400"#, #""count":9007199254740992"#),
            (#""count":5"#, #""count":5.6"#, #""count":6"#), (#""count":5"#, #""count":"5""#, #""count":1"#),
            (#""count":5,"#, "", #""count":1,"#),
            (#"{"min":-80,"max":-60}"#, #"{"min":-128,"max":-60}"#, "null"),
            (#"{"min":-80,"max":-60}"#, #"{"min":-59,"max":-60}"#, "null"),
            (#"{"min":-80,"max":-60}"#, #"{"min":-80,"max":127}"#, "null"),
            (#"{"min":-80,"max":-60}"#, #"{"min":-80}"#, "null"), (#"{"min":-80,"max":-60}"#, "7", "null"),
            (#""measuredPower":-59"#, #""measuredPower":-128"#, #""measuredPower":0"#),
            (#""measuredPower":-59"#, #""measuredPower":127"#, #""measuredPower":0"#),
            (#""measuredPower":-59,"#, "", #""measuredPower":0,"#),
            ("near", "touching", "unknown"), (#""proximity":"near","#, "", #""proximity":"unknown","#),
            ("false", "0", "false"), (#","ended":false"#, "", #","ended":false"#),
            ("false", #"false,"timeUncertain":"no""#, "false"),
            ("false", #"false,"confirmation":{"answer":"maybe","time":"2026-11-21T06:13:05Z"}"#, "false"),
            ("false", #"false,"confirmation":{"answer":"seen"}"#, "false"),
            ("false", #"false,"receiver":{"name":"a b"}"#, "false"),
            ("false", #"false,"receiver":{"name":""}"#, "false"), ("false", #"false,"receiver":"bar""#, "false"),
            ("false", #"false,"receiver":{"name":"a\u202eb"}"#, "false"), ("false", #"false,"receiver":{}"#, "false"),
            ("false", #"false,"receiver":{"name":"abcdefghijabcdefghijabcdefghijabc"}"#, "false"),
            (
                "false", #"false,"receiver":{"name":"bar","place":{"latitude":90.1,"longitude":0}}"#,
                #"false,"receiver":{"name":"bar"}"#
            ),
            ("false", #"false,"place":{"latitude":90.1,"longitude":0}"#, "false"),
            ("false", #"false,"place":{"latitude":0}"#, "false"),
            ("false", #"false,"place":{"latitude":0,"longitude":0,"accuracy":10001}"#, "false"),
        ]
    )
    func tolerated(field: String, replacement: String, taken: String) throws {
        func entries(_ text: String) throws -> [VisitBatchReading.Entry] {
            let visit = Self.visit.replacing(field, with: text)
            return try VisitBatchReading(Array(#"{"visits":[\#(visit)]}"#.utf8)).entries
        }
        guard case .visit(let visit) = try entries(taken).first else {
            Issue.record("the expected visit is none")
            return
        }
        #expect(try entries(replacement) == [.visit(visit)])
    }

    @Test("all invalid fields of a visit are named at once")
    func several() throws {
        #expect(
            try Self.pointers(#"{"id":"x","ended":1}"#)
                == ["id", "stay", "identity", "firstSeen", "lastSeen"].map { "/visits/1/\($0)" }
        )
        #expect(try Self.pointers("7") == ["/visits/1"])
    }

    @Test("an invalid visit keeps its readable identifier, so that the station can set it aside")
    func identifier() throws {
        let text = Self.visit.replacing(#""minor":2"#, with: #""minor":-2"#)
        let entries = try VisitBatchReading(Array(#"{"visits":[\#(text)]}"#.utf8)).entries
        guard case .invalid(let id, _) = entries.first else {
            Issue.record("\(entries)")
            return
        }
        #expect(id?.description == "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203")
    }

    @Test("unknown fields of a newer station are ignored, and whole numbers may be written as decimals")
    func lenient() throws {
        let text = Self.visit.replacing("false", with: #"false,"battery":{"level":3}"#)
            .replacing(#""count":5"#, with: #""count":5.0"#)
        let entries = try VisitBatchReading(Array(#"{"visits":[\#(text)],"more":1}"#.utf8)).entries
        guard case .visit(let visit) = entries.first else {
            Issue.record("\(entries)")
            return
        }
        #expect(visit.count == 5)
    }

    @Test(
        "a body that is not a batch is refused entirely",
        arguments: [("[]", ""), ("{}", "/visits"), (#"{"visits":null}"#, "/visits"), (#"{"visits":{}}"#, "/visits")]
    )
    func noBatch(body: String, pointer: String) {
        let refusal = #expect(throws: RequestRefusal.self) { try VisitBatchReading(Array(body.utf8)) }
        guard case .fields(let errors) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(errors.map(\.pointer) == [pointer])
    }

    @Test("a batch holds at most 500 visits")
    func size() throws {
        let visits = Array(repeating: Self.visit, count: 501)
        #expect(throws: RequestRefusal.tooManyVisits(501)) {
            try VisitBatchReading(Array(#"{"visits":[\#(visits.joined(separator: ","))]}"#.utf8))
        }
        let largest = #"{"visits":[\#(visits.dropFirst().joined(separator: ","))]}"#
        #expect(try VisitBatchReading(Array(largest.utf8)).entries.count == 500)
    }
}
