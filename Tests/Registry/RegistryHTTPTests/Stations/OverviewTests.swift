import Foundation
import HTTPTypes
import NIOCore
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The operators' overview and map")
struct OverviewTests {
    @Test("the overview shows the registry's state in one answer")
    func overview() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let station = try await registry.newStation()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        _ = try await registry.newReport(on: bike.id, of: owner)
        let answer = try await registry.call(.get, "/v1/overview", token: token)
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store")
        let overview: Overview = try answer.value()
        #expect(overview.time == registry.clock.now && overview.stations.new == 1)
        #expect(overview.stations.silentAfterSeconds == 900 && overview.backup == nil)
        let list = overview.missingList
        #expect(list.bikes == 1 && list.bytes > 0 && list.version > 0)
        #expect(overview.reviews.references.count == 1 && !overview.reviews.references.more)
        #expect(overview.audit.length > 0 && overview.audit.checkpoint == nil && overview.database.bytes > 0)
        let heartbeat = try await registry.call(
            .put, "/v1/station/heartbeat", token: station.token,
            body: #"{"version":"1","adapters":[],"listVersion":1}"#)
        #expect(heartbeat.status == 204)
        let later: Overview = try await registry.call(.get, "/v1/overview", token: token).value()
        #expect(later.stations.listening == 1 && later.stations.new == 0 && later.stations.outdated == nil)
        let path = "/v1/stations/\(station.station.id)"
        #expect(try await registry.call(.get, path, token: token).value(Station.self).state == .listening)
        let deaf = try await registry.call(
            .put, "/v1/station/heartbeat", token: station.token,
            body: #"{"version":"0.9.12","adapters":[{"name":"hci0","state":"failed","silentSeconds":4000}]}"#)
        #expect(deaf.status == 204)
        let broken: Overview = try await registry.call(.get, "/v1/overview", token: token).value()
        #expect(broken.stations.listening == 0 && broken.stations.deaf == 1 && broken.stations.outdated == 1)
        #expect(try await registry.call(.get, path, token: token).value(Station.self).state == .deaf)
        let waiting: Page<ReferenceReview> = try await registry.call(.get, "/v1/references", token: token).value()
        #expect(waiting.items.map(\.report.policeReference) == ["CRIME-7"])
    }

    @Test("a count stops at its limit and says that there are more")
    func bounds() {
        let few = Overview.BoundedCount(counted: 3, limit: 3)
        #expect(few.count == 3 && !few.more)
        let many = Overview.BoundedCount(counted: 4, limit: 3)
        #expect(many.count == 3 && many.more)
    }

    @Test("the map has a row for each station, is compressed on request, and is not sent twice")
    func map() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let station = try await registry.newStation().station
        let plain = try await registry.call(.get, "/v1/station-map", token: token)
        let place = Samples.place
        let expected = """
            {"more":false,"stations":[["\(station.id)","Café",\(place.latitude),\(place.longitude),"new",null]]}
            """
        #expect(String(decoding: plain.body, as: UTF8.self) == expected)
        #expect(plain.headers[.cacheControl] == "private, no-cache")
        let tag = try #require(plain.headers[.eTag])
        let known = try await registry.call(.get, "/v1/station-map", token: token, headers: [.ifNoneMatch: tag])
        #expect(known.status == 304 && known.body.isEmpty)
    }

    @Test("the cached map is encoded once for many callers, and its compressed form has the same content")
    func cache() async throws {
        let marks = (0..<500).map { number in
            StationMap.Mark(
                id: StationID(high: 1, low: UInt64(number)), name: "Café “\(number)”", latitude: 51.123456,
                longitude: -0.000001, state: .silent, heartbeat: HandClock().now)
        }
        let reads = Counter()
        let cache = AnswerCache(age: .seconds(2))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await cache.current {
                        await reads.increment()
                        return StationMap(stations: marks, more: true).json
                    }.tag
                }
            }
            var tags: Set<String> = []
            for try await tag in group { tags.insert(tag) }
            #expect(tags.count == 1)
        }
        let encoded = try await cache.current { StationMap(stations: []).json }
        #expect(await reads.count == 1)
        let gzip = try #require(encoded.gzip)
        #expect(gzip.readableBytes < encoded.plain.readableBytes / 4)
        let text = String(buffer: encoded.plain)
        #expect(text.contains(#""Café “7”",51.12346,-0,"silent","#))
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    private actor Counter {
        private(set) var count = 0

        func increment() { count += 1 }
    }
}
