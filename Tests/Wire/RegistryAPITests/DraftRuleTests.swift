import Beacons
import Foundation
import Testing

@testable import RegistryAPI

private let plainBike = #"{"kind":"bicycle","make":"Brompton","model":"C Line","colours":["green"]}"#

/// The minimal bike with members added.
private func with(_ members: String) -> String { String(plainBike.dropLast()) + ",\(members)}" }

@Suite("Request bodies")
struct DraftRuleTests {
    // 2026-11-21T12:00:00Z
    private static let now = Timestamp(milliseconds: 1_795_262_400_000)

    private static func pointers<Value>(_ body: String, _ rule: FieldRule<Value>) -> [String] {
        do {
            _ = try BodyParser.parse(Array(body.utf8), as: rule, unknownFields: .refused)
            return []
        } catch .fields(let errors) {
            return errors.map(\.pointer)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("a bike is read with every field")
    func wholeBike() throws {
        let draft = BikeDraft(
            kind: .motorbike, make: "Triumph", model: "Bonneville", colours: [.blue, .white], year: 2027,
            serial: "1", vin: "2", engineNumber: "4", plate: "3", notes: "a\nb",
            identity: .init("494E5445-4C4C-495F-524F-434B535F4857:1:2")
        )
        let body = [UInt8](try JSONEncoder().encode(draft))
        let read = try BodyParser.parse(body, as: BikeDraft.rule(now: Self.now), unknownFields: .refused)
        #expect(read == draft)
        #expect(Self.pointers(plainBike, BikeDraft.rule(now: Self.now)) == [])
        #expect(Self.pointers(with(#""year":null"#), BikeDraft.rule(now: Self.now)) == [])
    }

    @Test(
        "a bike's invalid fields are named",
        arguments: [
            ("{}", ["/kind", "/make", "/model", "/colours"]), ("[]", [""]), ("null", [""]),
            (with(#""year":1884"#), ["/year"]), (with(#""year":2028"#), ["/year"]),
            (with(#""year":"2020""#), ["/year"]), (with(#""colour":"red""#), ["/colour"]),
            (with(#""a/b~c":1"#), ["/a~1b~0c"]),
            (plainBike.replacing("bicycle", with: "car"), ["/kind"]),
            (plainBike.replacing("Brompton", with: ""), ["/make"]),
            (plainBike.replacing("Brompton", with: "  "), ["/make"]),
            (plainBike.replacing("Brompton", with: String(repeating: "é", count: 65)), ["/make"]),
            (plainBike.replacing("Brompton", with: #"a\u0000b"#), ["/make"]),
            (plainBike.replacing("Brompton", with: #"a\nb"#), ["/make"]),
            (plainBike.replacing("Brompton", with: #"a\u202eb"#), ["/make"]),
            (plainBike.replacing(#"["green"]"#, with: "[]"), ["/colours"]),
            (plainBike.replacing(#"["green"]"#, with: #"["green","mauve"]"#), ["/colours/1"]),
            (plainBike.replacing(#"["green"]"#, with: #"["green","green"]"#), ["/colours"]),
            (plainBike.replacing(#"["green"]"#, with: #"["green","red","blue","grey"]"#), ["/colours"]),
            (with(#""serial":"\#(String(repeating: "x", count: 65))""#), ["/serial"]),
            (with(#""vin":7"#), ["/vin"]), (with(#""plate":[]"#), ["/plate"]),
            (with(#""notes":"\#(String(repeating: "x", count: 501))""#), ["/notes"]),
            (
                with(#""identity":{"uuid":"x","major":70000}"#),
                ["/identity/uuid", "/identity/major", "/identity/minor"]
            ),
            (
                with(#""identity":{"uuid":"x","major":1,"minor":1,"power":1}"#),
                ["/identity/uuid", "/identity/power"]
            ),
        ]
    )
    func badBike(body: String, pointers: [String]) {
        #expect(Self.pointers(body, BikeDraft.rule(now: Self.now)) == pointers)
    }

    @Test(
        "a report's invalid fields are named",
        arguments: [
            ("{}", []), (#"{"missingSince":"2026-11-21T12:05:00Z"}"#, []),
            (#"{"missingSince":"2026-11-21T12:05:00.001Z"}"#, ["/missingSince"]),
            (#"{"missingSince":"2026-10-22T12:00:00Z"}"#, []),
            (#"{"missingSince":"2026-10-22T11:59:59Z"}"#, ["/missingSince"]),
            (#"{"missingSince":"yesterday"}"#, ["/missingSince"]),
            (#"{"lastPlace":{"latitude":91}}"#, ["/lastPlace/latitude", "/lastPlace/longitude"]),
            (#"{"policeReference":"\#(String(repeating: "x", count: 65))"}"#, ["/policeReference"]),
            (#"{"note":"\#(String(repeating: "x", count: 501))"}"#, ["/note"]), (#"{"closed":true}"#, ["/closed"]),
        ]
    )
    func report(body: String, pointers: [String]) {
        #expect(Self.pointers(body, MissingReportDraft.rule(now: Self.now)) == pointers)
    }

    @Test(
        "a closure's invalid fields are named",
        arguments: [
            (#"{"outcome":"recovered"}"#, []), (#"{"outcome":"lost"}"#, ["/outcome"]), ("{}", ["/outcome"]),
            (#"{"outcome":"givenUp","note":7}"#, ["/note"]),
        ]
    )
    func closure(body: String, pointers: [String]) {
        #expect(Self.pointers(body, ReportClosure.rule(now: Self.now)) == pointers)
    }

    @Test(
        "a channel's invalid fields are named",
        arguments: [
            (#"{"kind":"webhook","url":"https://a"}"#, []), (#"{"kind":"pigeon","url":""}"#, ["/kind", "/url"]),
            (#"{"kind":"webhook","url":"https://a","secret":"x"}"#, ["/secret"]),
        ]
    )
    func channel(body: String, pointers: [String]) {
        #expect(Self.pointers(body, ChannelDraft.rule(now: Self.now)) == pointers)
    }

    @Test(
        "an invitation's invalid fields are named",
        arguments: [
            (#"{"name":"Café","place":{"latitude":0,"longitude":-0.5}}"#, []), ("{}", ["/name", "/place"]),
            (#"{"name":"\u3164\u200B \u2800","place":{"latitude":0,"longitude":0}}"#, ["/name"]),
            (#"{"name":"Café","place":{"latitude":"0","longitude":1e999}}"#, ["/place/latitude", "/place/longitude"]),
        ]
    )
    func invitation(body: String, pointers: [String]) {
        #expect(Self.pointers(body, InvitationDraft.rule(now: Self.now)) == pointers)
    }

    @Test("an enrolment needs a code", arguments: [(#"{"code":"7KQ2M"}"#, []), ("{}", ["/code"])])
    func enrolment(body: String, pointers: [String]) {
        #expect(Self.pointers(body, EnrolmentRequest.rule(now: Self.now)) == pointers)
    }
}
