import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@Suite("The original app’s collections")
struct AppTests {
    private static let json: HTTPFields = [
        .contentType: "application/json; charset=utf-8", .accept: "application/json; charset=utf-8",
    ]

    /// A bike as the original app sends it: absent values as null or omitted, with a length instead of chunks.
    private static func bike(
        id: String? = nil, minor: Int = 4711, missing: Bool = true, colour: String? = "grey", device: String? = nil
    ) -> String {
        let id = id.map { "\"\($0)\"" } ?? "null"
        let colour = colour.map { ",\"colour\":\"\($0)\"" } ?? ""
        let device = device.map { ",\"deviceToken\":\"\($0)\"" } ?? ""
        return #"""
            {"id":\#(id),"make":"Yamaha","model":"YZF-R1","beaconMinor":\#(minor),"missing":\#(missing)\#(colour)\#(device)}
            """#
    }

    private static let device = String(repeating: "0f", count: 32)

    private static func put(_ body: String, _ registry: Harness) async throws -> Answer {
        try await registry.call(.post, "/bikes?key=secret", body: body, headers: json)
    }

    private static func list(_ registry: Harness) async throws -> [[String: JSONPart]] {
        let answer = try await registry.call(.get, "/bikes?key=secret", headers: json)
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
        return try answer.value()
    }

    @Test("without a configured key the collections return 404; with one, they require it")
    func key() async throws {
        #expect(try await Harness().call(.get, "/bikes?key=secret").status == 404)
        let registry = try Harness(appKey: "secret")
        for query in ["", "?key=", "?key=Secret", "?key=secretx", "?Key=secret"] {
            for (method, path) in [(HTTPRequest.Method.get, "/bikes"), (.post, "/bikes"), (.post, "/sightings")] {
                let answer = try await registry.call(method, path + query, body: method == .post ? "{}" : nil)
                #expect(answer.status == 403 && answer.problem == "wrong-key", "\(method) \(path)\(query)")
            }
        }
    }

    @Test("a bike can be registered, listed under another name, updated only with its secret, and found again")
    func life() async throws {
        let registry = try Harness(appKey: "secret")
        let answer = try await Self.put(Self.bike(device: Self.device), registry)
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
        let created: AppBike = try answer.value()
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(Self.device))
        let list = try await Self.list(registry)
        let listed = try #require(list.first)
        #expect(Set(listed.keys) == ["id", "make", "model", "beaconMinor", "missing", "colour"])
        #expect(listed["beaconMinor"] == .number(4711) && listed["missing"] == .bool(true))
        #expect(listed["colour"] == .text("grey") && listed["make"] == .text("Yamaha"))
        guard case .text(let publicID) = listed["id"] else {
            Issue.record("\(listed)")
            return
        }
        #expect(publicID != created.id)
        #expect(try await Self.put(Self.bike(id: publicID, missing: false), registry).status == 404)
        let found = try await Self.put(Self.bike(id: created.id, missing: false, colour: "red"), registry)
        #expect(
            try found.value(AppBike.self)
                == AppBike(
                    id: created.id, make: "Yamaha", model: "YZF-R1", beaconMinor: 4711, missing: false,
                    colour: "red"))
        #expect(try await Self.list(registry).isEmpty)
        _ = try await Self.put(Self.bike(id: created.id, minor: 4712), registry)
        #expect(try await Self.list(registry).first?["beaconMinor"] == .number(4712))
    }

    @Test("registering a minor that is or was taken is a conflict")
    func taken() async throws {
        let registry = try Harness(appKey: "secret")
        let first: AppBike = try await Self.put(Self.bike(), registry).value()
        let second = try await Self.put(Self.bike(), registry)
        #expect(second.status == 409 && second.problem == "identity-taken")
        _ = try await Self.put(Self.bike(id: first.id, minor: 5000), registry)
        #expect(try await Self.put(Self.bike(), registry).status == 409)
        let other: AppBike = try await Self.put(Self.bike(minor: 6000), registry).value()
        #expect(try await Self.put(Self.bike(id: other.id, minor: 5000), registry).status == 409)
    }

    @Test("the app’s bikes are on the missing list, and alerts for the phone's channel wait for a notifier")
    func stations() async throws {
        let registry = try Harness(appKey: "secret")
        _ = try await Self.put(Self.bike(device: Self.device), registry)
        let station = try await registry.newStation().token
        let list: MissingListDocument = try await registry.call(.get, "/v1/missing", token: station).value()
        let identity = try #require(list.identities.first)
        #expect(identity.major == 1 && identity.minor == 4711)
        let results = try await registry.report([Samples.visit(of: identity, from: registry.clock.now)], as: station)
        #expect(results.map(\.result) == [.stored])
        let now = registry.clock.now
        let alerts = try await registry.store.claimAlerts(at: now, leaseUntil: now, limit: 9)
        #expect(alerts.map(\.channel.kind) == [.apns] && alerts.map(\.channel.address) == [Self.device])
    }

    @Test("repeated sightings from the app are stored once, as unverified, and alert the owner")
    func sightings() async throws {
        let registry = try Harness(appKey: "secret")
        let bike: AppBike = try await Self.put(Self.bike(device: Self.device), registry).value()
        guard case .text(let id) = try await Self.list(registry).first?["id"] else {
            Issue.record("no bike is listed")
            return
        }
        let post = { (id: String, date: String) in
            let body = #"{"bikeId":"\#(id)","date":"\#(date)","latitude":51.5,"longitude":-0.12}"#
            return try await registry.call(.post, "/sightings?key=secret", body: body, headers: Self.json)
        }
        for _ in 0..<2 {
            let answer = try await post(id, "2026-11-21T12:00:00Z")
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
            #expect(try answer.value(AppSighting.self).bikeId == id)
        }
        let now = registry.clock.now
        let alerts = try await registry.store.claimAlerts(at: now, leaseUntil: now, limit: 9)
        guard alerts.count == 1, case .sighting(let content) = alerts[0].content else {
            Issue.record("\(alerts)")
            return
        }
        #expect(content.sighting.reasons == [.unverified] && content.sighting.level == .possible)
        #expect(content.sighting.place == Place(latitude: 51.5, longitude: -0.12))
        #expect(try await post(bike.id, "2026-11-21T12:00:00Z").status == 404)
        #expect(try await post(id, "2026-11-21T13:00:00Z").pointers == ["/date"])
        #expect(try await post(id, "yesterday").pointers == ["/date"])
        let token = try await registry.newOperator()
        let station = try await registry.call(.get, "/v1/stations", token: token).value(Page<Station>.self).items[0]
        #expect(station.name == "FindMyBike app" && station.mobile)
        _ = try await registry.call(.delete, "/v1/stations/\(station.id)", token: token)
        #expect(try await post(id, "2026-11-21T12:01:00Z").status == 403)
    }

    @Test(
        "an invalid request is refused, naming the field by its JSON pointer",
        arguments: [
            (#"{"make":"","model":"b","beaconMinor":99,"missing":1}"#, ["/make", "/beaconMinor", "/missing"]),
            (#"{"make":"a","model":"b","beaconMinor":65536,"missing":true}"#, ["/beaconMinor"]),
            (#"{"make":"a","model":"b","beaconMinor":100,"missing":true,"deviceToken":"xyz"}"#, ["/deviceToken"]),
        ]
    )
    func badBike(body: String, pointers: [String]) async throws {
        let registry = try Harness(appKey: "secret")
        let answer = try await Self.put(body, registry)
        #expect(answer.status == 422 && answer.pointers == pointers)
    }
}

/// A JSON value of a listed bike.
private enum JSONPart: Decodable, Equatable {
    case text(String)
    case bool(Bool)
    case number(Double)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}
