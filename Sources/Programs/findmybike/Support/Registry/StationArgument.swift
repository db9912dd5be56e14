import ArgumentParser
import RegistryAPI
import RegistryClient

/// One of the registry's stations, for its operator.
struct StationArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Part of the station’s name, or the beginning of its identifier.", valueName: "station")
    )
    var station: String

    /// - Throws: ``CommandFailure`` if no station has the name, or several have it.
    func find(at registry: RegistryConnection) async throws -> StationID {
        try await Self.find(station, at: registry)
    }

    static func find(_ station: String, at registry: RegistryConnection) async throws -> StationID {
        if let id = StationID(station) { return id }
        let stations = try await RegistryConnection.all { try await registry.stations(after: $0) }
        return try Choice(noun: "station", list: "findmybike station list", id: { "\($0.id)" }) { [$0.name] }
            .pick(station, among: stations).id
    }
}
