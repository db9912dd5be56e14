import Beacons
import Foundation
import Logging
import RegistryAPI
import StationStatus
import Synchronization
import TestSupport

@testable import DisplayServer

let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A venue with one bike, and times that a test moves.
final class Venue: DisplaySource, Sendable {
    static let terms = DisplayTerms(station: "Café Sprocket", contact: "the police on 101")
    static let visit = VisitID(high: 1, low: 1)
    static let begin = Timestamp(milliseconds: 1_790_000_000_000)

    let folder: TemporaryFolder
    let answers = Mutex<[VisitConfirmation.Answer]>([])
    let passed = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    init() throws { folder = try TemporaryFolder() }

    var now: ContinuousClock.Instant { start + passed.withLock(\.self) }
    var time: Timestamp { Self.begin.advanced(by: passed.withLock(\.self)) }
    var file: String { folder.file("displays.json") }

    var said: [VisitConfirmation.Answer] { answers.withLock(\.self) }

    func advance(by duration: Duration) { passed.withLock { $0 += duration } }

    /// A monitor that starts with the file of the last one.
    func register(isCertain: Bool = true) -> DisplayRegister {
        DisplayRegister(
            path: file, url: "http://192.168.1.20:8090", wallTime: { (self.time, isCertain) }, now: { self.now },
            logger: silent)
    }

    func view(_ terms: DisplayTerms) async throws -> DisplayView {
        DisplayView(
            station: terms.station, time: time, health: await health(),
            contact: terms.contact,
            bikes: [
                DisplayedBike(
                    visit: Self.visit, since: time, lastHeard: time, proximity: .near,
                    lookFor: BikeAppearance(kind: .bicycle, make: "Brompton", model: "C Line", colours: [.green]))
            ])
    }

    func health() async -> StationHealth { StationHealth(state: .listening, contact: time) }

    func answer(_ visit: VisitID, _ answer: VisitConfirmation.Answer) async throws -> Bool {
        guard visit == Self.visit else { return false }
        answers.withLock { $0.append(answer) }
        return true
    }
}
