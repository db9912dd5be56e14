import ArgumentParser
import RegistryAPI
import RegistryClient

/// A command that calls the registry.
protocol RegistryCommand: AsyncParsableCommand {
    var options: CallOptions { get }

    func run(at registry: RegistryConnection) async throws
}

extension RegistryCommand {
    func run() async throws { try await run(at: options.connect()) }
}

/// A command on one of the owner's bikes.
protocol OneBikeCommand: RegistryCommand {
    var argument: BikeArgument { get }

    func run(on bike: Bike, at registry: RegistryConnection) async throws
}

extension OneBikeCommand {
    func run(at registry: RegistryConnection) async throws {
        try await run(on: argument.find(at: registry), at: registry)
    }
}
