import HTTPClient
public import RegistryAPI

/// The station that a request about displays refers to.
public enum DisplayStation: Hashable, Sendable {
    /// One that the operator names.
    case named(StationID)
    /// The station of the token.
    case own

    /// The path of the station's displays.
    var path: String {
        switch self {
        case .named(let id): "/v1/stations/\(id)/displays"
        case .own: "/v1/station/displays"
        }
    }
}

// Requests about displays at venues.
extension RegistryConnection {
    /// Makes a code for a display. It replaces an unused one, so retrying is safe.
    public func createDisplay(_ draft: DisplayDraft, of station: DisplayStation) async throws -> DisplayCode {
        try await post(station.path, draft, isRepeatable: true)
    }

    public func displays(of station: DisplayStation) async throws -> Page<VenueDisplay> {
        try await get(station.path)
    }

    /// Renames a display; retrying is safe.
    public func renameDisplay(
        _ id: DisplayID, to name: String, of station: DisplayStation
    ) async throws -> VenueDisplay {
        let body = try Self.encode(DisplayRename(name: name))
        let response = try await answer(
            to: request(.put, "\(station.path)/\(id)/name", body: body), isRepeatable: true)
        return try Self.decode(response)
    }

    public func revokeDisplay(_ id: DisplayID, of station: DisplayStation) async throws {
        try await delete("\(station.path)/\(id)")
    }
}
