import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

@testable import HomeAssistant

@Suite("The conversation with Home Assistant") struct DialogueTests {
    @Test("it authenticates, and subscribes to the radios and to what they hear")
    func opening() throws {
        let talk = try Conversation.opened()
        #expect(
            talk.sent == [
                #"{"access_token":"the token","type":"auth"}"#,
                #"{"id":1,"type":"bluetooth/subscribe_scanner_details"}"#,
                #"{"id":2,"type":"bluetooth/subscribe_advertisements"}"#,
            ])
    }

    @Test("every 30 s it subscribes again and then ends the subscription before")
    func again() throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        let before = talk.sent.count
        try talk.pass(30)
        #expect(
            Array(talk.sent[before...]) == [
                #"{"id":3,"type":"bluetooth/subscribe_advertisements"}"#,
                #"{"id":4,"subscription":2,"type":"unsubscribe_events"}"#,
            ])
    }

    /// Two proxies and two beacons, one of which stops after the third history. Home Assistant was asked every 8 s.
    @Test("it understands what Home Assistant Core 2026.2.3 sent, and would have sent the same")
    func recorded() throws {
        let path = try #require(Bundle.module.path(forResource: "recorded", ofType: "txt", inDirectory: "Fixtures"))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        var talk = Conversation(date: 1_795_821_291)
        var news: [[String]] = []
        for line in lines where line.hasPrefix("<") {
            try talk.take(String(line.dropFirst(2)))
            if line.contains("rssi") {
                news.append(talk.news.adverts.map { "\($0.source.suffix(2)) \($0.rssi ?? 0)" })
                try talk.pass(30)
            }
        }
        #expect(news == [["01 -60", "02 -70"], ["01 -60", "02 -70"], ["01 -60", "02 -70"], ["02 -70"], ["02 -70"]])
        #expect(talk.dialogue.sources?.map(\.name) == ["kitchen (AA:00:00:00:00:01)", "yard (AA:00:00:00:00:02)"])
        let theirs = lines.filter { $0.hasPrefix(">") }.map { $0.dropFirst(2) }
        func parsed(_ texts: some Sequence<some StringProtocol>) throws -> [NSDictionary] {
            try texts.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary) }
        }
        #expect(try parsed(talk.sent.prefix(theirs.count)) == parsed(theirs))
    }

    @Test("a beacon that stays is heard with each history, and not once it is gone")
    func stays() throws {
        var talk = try Conversation.opened()
        try talk.hear(2, at: -3, rssi: -70)
        #expect(talk.news.adverts.map(\.rssi) == [-70])
        #expect(talk.news.adverts.first?.data.count == 27)
        try talk.pass(30)
        try talk.hear(3, at: 29.5, rssi: -65)
        #expect(talk.news.adverts.map(\.rssi) == [-65])
        try talk.pass(30)
        try talk.hear(5, at: 29.5)
        #expect(talk.news.adverts.isEmpty)
        try talk.pass(30)
        try talk.hear(7, at: 88)
        #expect(talk.news.adverts.count == 1)
    }

    @Test("what Home Assistant reports at once is heard at once")
    func live() throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        try talk.pass(7)
        try talk.hear(2, at: 7)
        #expect(talk.news.adverts.count == 1)
        // The old subscription ends, and its last event is none of the new one.
        try talk.pass(23)
        try talk.hear(2, "AA:BB:CC:DD:EE:02", at: 30)
        #expect(talk.news.adverts.count == 1)
        try talk.hear(3, at: 8)
        #expect(talk.news.adverts.isEmpty)
        try talk.hear(2, at: 31)
        #expect(talk.news.adverts.isEmpty)
    }

    @Test("the first history counts as far back as nobody has listened", arguments: [(-20.0, 1), (-100, 0), (-900, 0)])
    func first(seconds: Double, count: Int) throws {
        var talk = try Conversation.opened()
        try talk.hear(2, at: seconds)
        #expect(talk.news.adverts.count == count)
        var late = try Conversation.opened(missed: .seconds(120))
        try late.hear(2, at: seconds)
        #expect(late.news.adverts.count == (seconds > -125 ? 1 : 0))
    }

    @Test("it counts from the opening, however late the history comes")
    func lateHistory() throws {
        var talk = try Conversation.opened()
        try talk.pass(19)
        talk.receivePart()
        try talk.pass(19)
        try talk.hear(2, at: -30)
        #expect(talk.news.adverts.count == 1)
    }

    @Test("only what Home Assistant has heard ends the time for which nobody has listened")
    func missed() throws {
        var talk = try Conversation.opened()
        let isCurrent = { (talk: Conversation) in talk.news.isCurrent }
        #expect(!isCurrent(talk))
        try talk.take(#"{"id":2,"type":"result","success":true,"result":null}"#)
        #expect(!isCurrent(talk))
        try talk.take(#"{"id":1,"type":"event","event":{"add":[{"source":"AA:00:00:00:00:01","name":"bar"}]}}"#)
        #expect(!isCurrent(talk))
        try talk.take(talk.event(2, []))
        #expect(isCurrent(talk))
        try talk.hear(2, at: 0)
        #expect(isCurrent(talk))
        try talk.hear(1, at: 0)
        #expect(!isCurrent(talk))
    }

    @Test("without the server's time, the first history is only remembered")
    func undated() throws {
        var talk = try Conversation.opened(date: nil)
        try talk.hear(2, at: 0)
        #expect(talk.news.adverts.isEmpty)
        try talk.pass(30)
        try talk.hear(3, at: 30)
        #expect(talk.news.adverts.count == 1)
    }

    @Test("when Home Assistant's clock is set, old entries do not become new", arguments: [86_400.0, -86_400])
    func clock(step: Double) throws {
        var talk = try Conversation.opened()
        let other = "AA:BB:CC:DD:EE:02"
        try talk.take(talk.event(2, [talk.advert(at: 0), talk.advert(other, at: 0)]))
        try talk.pass(30)
        try talk.take(talk.event(3, [talk.advert(at: step), talk.advert(other, at: 30 + step)]))
        #expect(talk.news.adverts.isEmpty)
        try talk.pass(30)
        try talk.take(talk.event(5, [talk.advert(at: step), talk.advert(other, at: 60 + step)]))
        #expect(talk.news.adverts.map { $0.address.description } == [other])
    }

    @Test(
        "each refusal has its reason",
        arguments: [
            ("2026.2.3", "unauthorized", HomeAssistantError.notAdministrator),
            ("2026.2.3", "unknown_command", .noBluetooth), ("2025.2.0", "unknown_command", .noBluetooth),
            ("2025.1.4", "unknown_command", .tooOld(version: "2025.1.4")),
            ("2024.12.5", "unknown_command", .tooOld(version: "2024.12.5")),
            ("strange", "unknown_command", .noBluetooth),
            ("2026.2.3", "home_assistant_error", .refused(code: "home_assistant_error")),
        ])
    func refusals(version: String, code: String, error: HomeAssistantError) throws {
        var talk = try Conversation.opened(version: version)
        // Without the radios' names it works, too.
        try talk.take(#"{"id":1,"type":"result","success":false,"error":{"code":"unknown_command","message":""}}"#)
        #expect(talk.dialogue.sources == nil)
        #expect(throws: error) {
            try talk.take(#"{"id":2,"type":"result","success":false,"error":{"code":"\#(code)","message":""}}"#)
        }
    }

    @Test("a wrong token has its reason")
    func token() throws {
        var talk = Conversation()
        try talk.take(#"{"type":"auth_required","ha_version":"2026.2.3"}"#)
        #expect(throws: HomeAssistantError.tokenRefused) {
            try talk.take(#"{"type":"auth_invalid","message":"Invalid access token or password"}"#)
        }
    }

    @Test(
        "the token goes only to something that asks for it as Home Assistant does",
        arguments: [
            "", "{}", "[]", "null", #"{"type":"auth_ok"}"#, #"{"type":"hello"}"#, #"{"type":1}"#,
            #"{"type":"auth_required""#,
            String(repeating: "[", count: 100_000),
            #"{"type":"auth_required","x":"# + String(repeating: "[", count: 17),
            "{\"type\":\"\(String(repeating: "\u{316}\u{301}", count: 100_000))\"}",
        ])
    func strangers(text: String) {
        var talk = Conversation()
        #expect(throws: HomeAssistantError.malformed) { try talk.take(text) }
        #expect(talk.sent.isEmpty)
    }

    @Test("it does not wait for ever")
    func patience() throws {
        var talk = Conversation()
        #expect(throws: HomeAssistantError.unanswered(.greeting)) { try talk.pass(20) }
        talk = Conversation()
        try talk.take(#"{"type":"auth_required"}"#)
        #expect(throws: HomeAssistantError.unanswered(.authentication)) { try talk.pass(20) }
        talk = try Conversation.opened()
        #expect(throws: HomeAssistantError.unanswered(.history)) { try talk.pass(20) }
        talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        #expect(throws: HomeAssistantError.unanswered(.history)) { try talk.pass(50) }
    }

    @Test("only adverts prove that it listens")
    func listening() throws {
        var talk = try Conversation.opened()
        #expect(talk.dialogue.listening(at: talk.now) == .unproven)
        try talk.take(talk.event(2, []))
        try talk.pass(6)
        #expect(talk.dialogue.listening(at: talk.now) == .noSource)
        try talk.take(#"{"id":1,"type":"event","event":{"add":[{"source":"AA:00:00:00:00:01","name":"bar"}]}}"#)
        #expect(talk.dialogue.listening(at: talk.now) == .unproven)
        try talk.hear(2, at: 6)
        #expect(talk.dialogue.listening(at: talk.now) == .hearing)
        #expect(talk.dialogue.listening(at: talk.now.advanced(by: .seconds(150))) == .silent)
        try talk.take(#"{"id":1,"type":"event","event":{"remove":[{"source":"AA:00:00:00:00:01"}]}}"#)
        #expect(talk.dialogue.sources == [])
    }

    @Test("an advert that cannot be read takes no other with it")
    func malformed() throws {
        var talk = try Conversation.opened()
        let strange = [
            "1", "null", "{}", #"{"address":1}"#, #"{"address":"zz:BB:CC:DD:EE:01","source":"a","time":1}"#,
            #"{"address":"AA:BB:CC:DD:EE:01","source":"a","time":1e999}"#,
        ]
        try talk.take(talk.event(2, strange + [talk.advert(at: 0)]))
        #expect(talk.news.malformed == strange.count)
        #expect(talk.news.adverts.count == 1)
    }

    @Test("a time that no clock has traps nothing", arguments: [1e300, -1e300, 0])
    func times(time: Double) throws {
        var talk = try Conversation.opened()
        try talk.hear(2, at: time)
        try talk.hear(2, at: -time)
        try talk.pass(30)
        try talk.hear(3, at: time)
        try talk.pass(30)
        try talk.hear(5, at: -time)
    }

    @Test("nobody makes the station deaf by so many addresses that the history is too long: the bike is still heard")
    func longHistory() throws {
        var talk = try Conversation.opened()
        let zeros = Array(repeating: "0", count: 600_000).joined(separator: ",")
        try talk.take(#"{"id":2,"type":"event","event":{"add":[\#(zeros)]}}"#)
        #expect(talk.news.malformed == 1)
        try talk.hear(2, at: 0)
        #expect(talk.news.adverts.count == 1)
        // Another one would be as long: the adverts behind it would wait, each half a minute.
        let before = talk.sent.count
        try talk.pass(599)
        #expect(talk.sent.count == before)
        try talk.hear(2, at: 599)
        #expect(talk.news.adverts.count == 1)
        try talk.pass(1)
        #expect(talk.sent.last == #"{"id":4,"subscription":2,"type":"unsubscribe_events"}"#)
        try talk.take(talk.event(3, []))
        try talk.pass(30)
        #expect(talk.sent.last == #"{"id":6,"subscription":3,"type":"unsubscribe_events"}"#)
    }

    @Test("a history may take as long as it still arrives, but not for ever")
    func slowHistory() throws {
        var talk = try Conversation.opened()
        for _ in 0..<14 {
            try talk.pass(19)
            talk.receivePart()
        }
        try talk.pass(19)
        var stalled = talk
        #expect(throws: HomeAssistantError.unanswered(.history)) { try stalled.pass(1) }
        talk.receivePart()
        #expect(throws: HomeAssistantError.unanswered(.history)) { try talk.pass(15) }
    }

    @Test("adverts that have waited behind a long history are read second by second, and are no flood")
    func backlog() throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        let some = talk.event(2, (0..<200).map { _ in talk.advert(at: 0) })
        for second in 1...3 {
            try talk.pass(1)
            var read = 0
            while talk.dialogue.rest(at: talk.now) == .zero {
                try talk.take(some)
                read += 1
            }
            #expect(read == HomeAssistantDialogue.pace / 200, "in second \(second)")
        }
        #expect(talk.dialogue.rest(at: talk.now.advanced(by: .milliseconds(400))) == .milliseconds(600))
        #expect(talk.dialogue.rest(at: talk.now.advanced(by: .seconds(2))) == .zero)
    }

    @Test("of more addresses than are used, those that were heard last are")
    func latestOfHistory() throws {
        var talk = try Conversation.opened()
        let flood = (0..<HomeAssistantMessage.maximumItems).map { number in
            #"{"address":"0","time":\#(Conversation.date - 1),"n":\#(number)}"#
        }
        try talk.take(talk.event(2, flood + [talk.advert(at: 0)]))
        #expect(talk.news.adverts.count == 1)
        #expect(talk.news.malformed == HomeAssistantMessage.maximumItems)
    }

    @Test("a flood ends the conversation")
    func flood() throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        let many = talk.event(2, (0..<HomeAssistantDialogue.maximumRate / 2).map { _ in talk.advert(at: 0) })
        try talk.take(many)
        #expect(throws: HomeAssistantError.flooding) { try talk.take(many) }
        let endless =
            #"{"id":2,"type":"event","event":{"add":[\#(Array(repeating: "0", count: 20_000).joined(separator: ","))]}}"#
        #expect(throws: HomeAssistantError.flooding) { try talk.take(endless) }
    }

    @Test(
        "so does a flood of messages without adverts, whatever they are",
        arguments: [
            #"{"type":"x"}"#, #"{"type":"event","event":{"add":[]}}"#, #"{"type":"result","success":false}"#,
            #"{"id":3,"type":"result","success":true}"#, #"{"id":1,"type":"event","event":{"add":[{"source":"a"}]}}"#,
            #"{"id":2,"type":"event","event":{"add":[1]}}"#, #"{"id":2,"type":"event","event":{"remove":[1,2]}}"#,
        ])
    func messages(text: String) throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        try talk.pass(30)
        #expect(throws: HomeAssistantError.flooding) {
            for _ in 0...HomeAssistantDialogue.maximumRate { try talk.take(text) }
        }
    }

    @Test("an event without a number is none of a subscription's")
    func unnumbered() throws {
        var talk = try Conversation.opened()
        try talk.take(talk.event(2, []))
        for _ in 0..<3 {
            try talk.take(#"{"type":"event","event":{"add":[\#(talk.advert(at: 1))]}}"#)
            #expect(talk.news.adverts.isEmpty)
        }
        try talk.hear(2, at: 2)
        #expect(talk.news.adverts.count == 1)
    }
}

@Suite("Adverts of Home Assistant") struct AdvertTests {
    private func advert(_ fields: String) throws -> HomeAssistantAdvert {
        let text = #"{"address":"AA:BB:CC:DD:EE:01","source":"s","time":1.5,\#(fields)}"#
        let item = try JSONDecoder().decode(HomeAssistantMessage.Item.self, from: Data(text.utf8))
        return try #require(HomeAssistantAdvert(item))
    }

    @Test("an iBeacon is what it was")
    func iBeacon() throws {
        let advert = try advert(#""rssi":-61,"manufacturer_data":{"76":"\#(Conversation.beacon)"},"service_data":{}"#)
        let beacon = IBeacon(advertisingData: advert.data.span.bytes)
        #expect(beacon?.identity.description == "FDA50693-A4E2-4FB1-AFCF-C6EB07647825:1:2")
        #expect(advert.rssi == -61)
    }

    @Test("so is an Eddystone-UID, with its flags left out")
    func eddystone() throws {
        let advert = try advert(
            #""rssi":-61,"service_data":{"0000feaa-0000-1000-8000-00805f9b34fb":"00ee0102030405060708090a0102030405060000"}"#
        )
        #expect(advert.data.starts(with: [23, 0x16, 0xAA, 0xFE, 0x00, 0xEE]))
        let frame = BeaconFrame(advertisingData: advert.data.span.bytes)
        #expect(frame != nil)
    }

    @Test(
        "data that no frame can have are left out",
        arguments: [
            #""rssi":null"#, #""rssi":1e9"#, #""rssi":-3.5"#, #""manufacturer_data":{"99999":"00"}"#,
            #""manufacturer_data":{"76":"0"}"#, #""manufacturer_data":{"76":"xx"}"#, #""manufacturer_data":[1]"#,
            #""manufacturer_data":{"76":"\#(String(repeating: "00", count: 253))"}"#,
            #""service_data":{"feaa":"00"}"#, #""service_data":{"0000zzzz-0000-1000-8000-00805f9b34fb":"00"}"#,
        ])
    func impossible(fields: String) throws {
        let advert = try advert(fields)
        #expect(advert.rssi == nil)
        #expect(advert.data.isEmpty)
    }
}

@Suite("The names of Home Assistant's radios") struct SourceNamesTests {
    private var names = SourceNames(entry: "home", given: ["AA:00:00:00:00:09": "bar"])

    @Test("they are those of Home Assistant after the entry's, or those of the settings")
    mutating func named() {
        #expect(
            names.name(of: "AA:00:00:00:00:01", nameInHomeAssistant: "kitchen (AA:00:00:00:00:01)") == "home.kitchen")
        #expect(names.name(of: "AA:00:00:00:00:01") == "home.kitchen")
        #expect(names.name(of: "AA:00:00:00:00:02", nameInHomeAssistant: "kitchen") == "home.kitchen-00-00-02")
        #expect(names.name(of: "AA:00:00:00:00:03", nameInHomeAssistant: "Küche (oben)") == "home.K-che-oben")
        #expect(names.name(of: "AA:00:00:00:00:04", nameInHomeAssistant: "hci0 (AA:00:00:00:00:04)") == "home.hci0")
        #expect(names.name(of: "AA:00:00:00:00:05", nameInHomeAssistant: "AA:00:00:00:00:05") == "home.00-00-05")
        #expect(names.name(of: "AA:00:00:00:00:06", nameInHomeAssistant: "…") == "home.00-00-06")
        #expect(names.name(of: "aa:00:00:00:00:09", nameInHomeAssistant: "kitchen") == "bar")
        #expect(names.name(of: "AA:00:00:00:00:07") == "home.00-00-07")
    }

    @Test("none is that of another receiver in the settings")
    func taken() {
        var names = SourceNames(entry: "home", given: [:], taken: ["home.kitchen", "home.yard", "home.yard-00-00-02"])
        #expect(names.name(of: "AA:00:00:00:00:01", nameInHomeAssistant: "kitchen") == "home.kitchen-00-00-01")
        #expect(names.name(of: "AA:00:00:00:00:02", nameInHomeAssistant: "yard") == "home")
    }

    @Test("each is a receiver's, and there are not more than allowed")
    mutating func bounded() {
        var all: Set<String> = []
        for index in 0..<1000 {
            let long = String(repeating: "living room ", count: 8)
            all.insert(names.name(of: "AA:00:00:00:\(10 + index / 90):\(10 + index % 90)", nameInHomeAssistant: long))
        }
        for index in 0..<1000 { all.insert(names.name(of: "source \(index)")) }
        #expect(all.count == SourceNames.maximum + 1)
        #expect(all.allSatisfy { $0.utf8.count <= 32 && $0.utf8.allSatisfy { $0 < 0x80 } })
    }
}

@Suite("The address of a Home Assistant") struct HomeAssistantAddressTests {
    @Test(
        "it is a URL",
        arguments: [
            ("http://192.168.1.20:8123", "http://192.168.1.20:8123/", "/api/websocket"),
            ("https://ha.example.org/", "https://ha.example.org/", "/api/websocket"),
            ("http://supervisor/core", "http://supervisor/", "/core/api/websocket"),
            ("http://[fe80::1]:8123", "http://[fe80::1]:8123/", "/api/websocket"),
        ])
    func valid(text: String, url: String, path: String) throws {
        let address = try #require(HomeAssistantAddress(text))
        #expect(address.url == url)
        #expect(address.path == path)
    }

    @Test(
        "it is nothing else",
        arguments: [
            "", "192.168.1.20", "ftp://a", "http://", "http://a b", "http://user:secret@a", "http://a/?b",
            "http://a/#b",
            "http://a\r\nX: y", "http://a/\u{301}", "HTTP://",
        ])
    func invalid(text: String) { #expect(HomeAssistantAddress(text) == nil) }
}
