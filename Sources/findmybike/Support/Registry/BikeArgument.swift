import ArgumentParser
import RegistryAPI
import RegistryClient

/// Names one of the owner's bikes, as briefly as is unambiguous.
struct BikeArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Identifier, or part of it or of make and model. Not needed with a single bike.",
            valueName: "bike"
        )
    )
    var bike: String?

    func find(at registry: RegistryConnection) async throws -> Bike { try await Self.find(bike, at: registry) }

    static func find(_ bike: String?, at registry: RegistryConnection) async throws -> Bike {
        if let bike, let id = BikeID(bike) {
            return try await patiently { try await registry.bike(id) }
        }
        let bikes = try await RegistryConnection.all { cursor in
            try await patiently { try await registry.bikes(after: cursor) }
        }
        let matches = bikes.filter { candidate in
            guard let bike = bike?.lowercased() else { return true }
            return "\(candidate.id) \(candidate.make) \(candidate.model)".lowercased().contains(bike)
        }
        guard let match = matches.first else {
            throw CommandFailure(
                .dataError,
                bikes.isEmpty
                    ? "you have no bikes yet: ‘findmybike bike register’ adds one"
                    : "none of your bikes matches ‘\(bike ?? "")’: see ‘findmybike bike list’"
            )
        }
        guard matches.count == 1 else {
            let names = matches.map { "\($0.make) \($0.model) (\($0.id))" }.joined(separator: ", ")
            throw CommandFailure(.usage, "which bike? \(names)")
        }
        return match
    }
}
