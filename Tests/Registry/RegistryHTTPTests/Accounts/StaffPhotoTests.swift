import FoundationEssentials
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Photos for the staff of venues")
struct StaffPhotoTests {
    private let registry: Harness
    private let owner: String
    private let photo: Photo
    private let path: String
    private let station: StationEnrolled

    init() async throws {
        registry = try Harness(photos: PhotoLibrary(pictures: MemoryPhotoStore(), converter: SampleConverter()))
        owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        path = "/v1/bikes/\(bike.id)/photos"
        photo = try await registry.addPhoto(JPEGSample(64, 48).bytes, to: path, token: owner).value()
        _ = try await registry.newReport(on: bike.id, of: owner)
        station = try await registry.newStation()
    }

    private func letStaffSee(_ isAllowed: Bool, by token: String? = nil) async throws -> Answer {
        try await registry.call(
            .put, "\(path)/\(photo.id)/consent", token: token ?? owner, body: #"{"forStaff":\#(isAllowed)}"#)
    }

    private func lookFor(_ visit: Visit) async throws -> BikeAppearance {
        try #require(try await registry.report([visit], as: station.token).first?.lookFor)
    }

    @Test("a station gets the link with its report, and anyone who has it sees a small picture that nobody keeps")
    func link() async throws {
        var visit = Samples.visit(from: registry.clock.now, lasting: .zero)
        #expect(try await lookFor(visit).photo == nil)
        let allowed = try await letStaffSee(true)
        #expect(allowed.status == 200)
        #expect(try allowed.value(Photo.self).forStaff == true)
        let link = try #require(try await lookFor(visit).photo)
        let path = try #require(link.split(separator: "https://registry.example").last.map { String($0) })
        #expect(path.hasPrefix("/staff-photos/"))
        let picture = try await registry.call(.get, path)
        #expect(picture.status == 200 && picture.headers[.contentType] == "image/jpeg")
        #expect(picture.headers[.cacheControl] == "private, no-store")
        #expect(picture.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
        let small = try await registry.call(.get, "\(self.path)/\(photo.id)?size=small", token: owner)
        #expect(picture.body == small.body)
        visit.ended = true
        _ = try await registry.report([visit], as: station.token)
        let ended = try await registry.call(.get, path)
        #expect(ended.status == 404 && ended.headers[.contentType]?.hasPrefix("text/html") == true)
    }

    @Test("a consent needs an owner's token that may manage, and a wrong link shows a page")
    func refused() async throws {
        let weak = try await registry.newToken(of: owner, scope: .report)
        #expect(try await letStaffSee(true, by: weak).status == 403)
        #expect(try await letStaffSee(true, by: station.token).status == 403)
        #expect(try await letStaffSee(true, by: try await registry.newOwner()).status == 404)
        for text in ["x", "%2e%2e", String(repeating: "A", count: 86), String(repeating: "A", count: 4000)] {
            let answer = try await registry.call(.get, "/staff-photos/\(text)")
            #expect(answer.status == 404 && answer.headers[.contentType]?.hasPrefix("text/html") == true)
        }
    }
}
