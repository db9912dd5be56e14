import CommandSupport
import Testing

@testable import findmybike

@Suite("Choosing among names")
struct ChoiceTests {
    private struct Thing: Equatable {
        let id: String
        let name: String
    }

    private let things = [
        Thing(id: "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203", name: "phone"),
        Thing(id: "019aa4e1-1c2d-7a3b-9000-5e6f70819203", name: "Phone of Ana"),
        Thing(id: "019bb000-1c2d-7a3b-8c4d-5e6f70819203", name: "laptop"),
    ]
    private let choice = Choice<Thing>(noun: "token", list: "findmybike owner token list", id: \.id) { [$0.name] }

    @Test(
        "a full name takes precedence over a prefix, and a prefix over a substring",
        arguments: [
            ("019bb", 2), ("019AA4E1-1c2d-7a3b-9", 1), ("phone", 0), ("PHONE", 0), ("phone o", 1), ("ana", 1),
            ("lap", 2),
        ])
    func picks(text: String, index: Int) throws {
        #expect(try choice.pick(text, among: things) == things[index])
    }

    @Test(
        "if several match, the user is asked to choose, with details that distinguish them",
        arguments: [
            (
                "019aa",
                "which token? phone (019aa4e1-1c2d-7a3b-8), Phone of Ana (019aa4e1-1c2d-7a3b-9): type one of these "
                    + "names or identifiers instead of ‘019aa’"
            ),
            (
                "x",
                "none of the 3 tokens is called ‘x’ or has an identifier that begins with it: see ‘findmybike owner "
                    + "token list’"
            ),
            ("", "none of the 3 tokens"),
        ])
    func refuses(text: String, message: String) {
        let failure = #expect(throws: CommandFailure.self) { _ = try choice.pick(text, among: things) }
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("accents are optional", arguments: ["skoda", "ŠKODA", "Skoda Ci"])
    func accents(text: String) throws {
        let bike = Thing(id: "1", name: "Škoda Citigo")
        #expect(try choice.pick(text, among: things + [bike]) == bike)
    }

    @Test("a single entry needs no name")
    func single() throws {
        #expect(try choice.pick(nil, among: [things[2]]) == things[2])
        #expect(throws: CommandFailure.self) { _ = try choice.pick(nil, among: []) }
        let several = #expect(throws: CommandFailure.self) { _ = try choice.pick(nil, among: things) }
        #expect(several?.message.hasSuffix(": add one of these names or identifiers to the command") == true)
    }

    @Test("short identifiers are as long as needed to be unique, and do not end in a dash")
    func short() {
        let short = ShortIdentifiers(things.map(\.id))
        #expect(short.text(things[0].id) == "019aa4e1-1c2d-7a3b-8")
        #expect(ShortIdentifiers([things[0].id, things[2].id]).text(things[0].id) == "019aa4e1")
        #expect(ShortIdentifiers([things[0].id, things[0].id, "019aa4e1-2"]).text(things[0].id) == "019aa4e1-1")
        #expect(ShortIdentifiers([]).text("x") == "x")
    }
}
