import Foundation
import HTTPClient
public import RegistryAPI
import Synchronization

// Owners' requests about sightings.
extension RegistryConnection {
    /// A page of sightings in the order in which they were stored.
    public func sightings(
        of report: ReportID, on bike: BikeID, after cursor: String? = nil
    ) async throws -> Page<Sighting> {
        try await get(Self.path(of: report, on: bike) + Self.query(cursor))
    }

    /// The sightings as a file of a media type; the flag says whether there are more than it contains.
    ///
    /// - Parameter mediaType: one of those of ``MediaType`` that the contract lists for sightings.
    public func trail(
        of report: ReportID, on bike: BikeID, as mediaType: String
    ) async throws -> (file: [UInt8], isCut: Bool) {
        let response = try await answer(to: request(.get, Self.path(of: report, on: bike), accept: mediaType))
        return (response.body, response[header: "link"] != nil)
    }

    /// Marks a sighting as known to be wrong.
    public func dismissSighting(_ id: VisitID, of report: ReportID, on bike: BikeID) async throws -> Sighting {
        try await post(Self.path(of: report, on: bike) + "/\(id)/dismissal", EmptyBody(), isRepeatable: true)
    }

    /// Acknowledges the alert of a sighting; channels that waited for that are then not alerted.
    public func acknowledgeSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID
    ) async throws -> Sighting {
        try await post(Self.path(of: report, on: bike) + "/\(id)/acknowledgement", EmptyBody(), isRepeatable: true)
    }

    /// Follows the sightings of a report live until the registry ends the stream or the time is up.
    ///
    /// - Parameters:
    ///   - last: the event to resume after, as `take` got it; nil to start from the beginning.
    ///   - time: the time after which this ends.
    ///   - silence: how long the stream may be silent before the connection counts as lost; the registry sends
    ///     heartbeats.
    ///   - hear: called with each sign of life, off any actor.
    ///   - take: called with each sighting that has changed, and the event to resume after; off any actor, in order.
    /// - Throws: ``RegistryError``, or `CancellationError`; also if the time is up before the registry ends the stream.
    public func followSightings(
        of report: ReportID, on bike: BikeID, after last: String?, for time: Duration = .seconds(600),
        silence: Duration? = nil, hear: @escaping @Sendable () -> Void = {},
        _ take: @escaping @Sendable (Sighting, String) -> Void
    ) async throws {
        let headers = last.map { [(name: "Last-Event-ID", value: $0)] } ?? []
        var request = request(
            .get, Self.path(of: report, on: bike), headers: headers, accept: MediaType.eventStream, timeout: time
        )
        request.silence = silence
        let reader = SightingReader(take)
        let response = try await stream(request) {
            hear()
            reader.read($0)
        }
        _ = try Self.checked(response)
        if let error = reader.error { throw error }
    }

    private static func path(of report: ReportID, on bike: BikeID) -> String {
        "/v1/bikes/\(bike)/reports/\(report)/sightings"
    }
}

/// Turns the parts of a stream into sightings; ignores anything after an error.
private final class SightingReader: Sendable {
    private struct State {
        var parser = EventStreamParser()
        /// The first error; nil if there was none.
        var error: RegistryError?
    }

    private let state = Mutex(State())
    private let take: @Sendable (Sighting, String) -> Void

    init(_ take: @escaping @Sendable (Sighting, String) -> Void) { self.take = take }

    /// The error of the first event that could not be read; nil if all could.
    var error: RegistryError? { state.withLock(\.error) }

    /// Reads the next part of the stream, and passes on the sightings that it completes.
    func read(_ bytes: [UInt8]) {
        do throws(RegistryError) {
            for event in try events(in: bytes) where event.type == "sighting" {
                take(try Self.sighting(in: event), event.id)
            }
        } catch {
            state.withLock { $0.error = $0.error ?? error }
        }
    }

    /// The events that a part completes; none after an error.
    private func events(in bytes: [UInt8]) throws(RegistryError) -> [ServerSentEvent] {
        try state.withLock { state throws(RegistryError) in
            guard state.error == nil else { return [] }
            return try state.parser.take(bytes)
        }
    }

    private static func sighting(in event: ServerSentEvent) throws(RegistryError) -> Sighting {
        do {
            return try JSONDecoder().decode(Sighting.self, from: Data(event.data.utf8))
        } catch {
            throw .malformedAnswer("an event that is not a sighting")
        }
    }
}
