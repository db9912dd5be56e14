import Foundation
import Testing

@testable import findmybike

/// Somebody who uses `findmybike` with a home folder of their own. The commands run in the test's process.
struct Person: Sendable {
    let home: String
    /// The registry's address in the environment; nil if it has none.
    private let url: String?
    /// It runs as long as somebody uses it.
    private let registry: any Sendable

    /// - Parameter registry: a ``LiveRegistry`` or a ``StartedRegistry``.
    init(home: String, url: String?, at registry: any Sendable) {
        self.home = home
        self.url = url
        self.registry = registry
    }

    /// The file with this person's token.
    var token: String { home + "/.config/findmybike/token" }

    func run(_ arguments: String..., input: String = "") async -> CommandRun { await run(arguments, input: input) }

    func run(_ arguments: [String], input: String = "", outputFailure: Int32? = nil) async -> CommandRun {
        var variables = ["HOME": home]
        variables["FINDMYBIKE_REGISTRY_URL"] = url
        return await FindMyBike.run(
            arguments, variables: variables, input: input, outputFailure: outputFailure)
    }

    /// The output of a command that must succeed.
    func output(_ arguments: String..., input: String = "") async throws -> String {
        let run = await run(arguments, input: input)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return run.output
    }

    /// The value that a command prints as JSON.
    func value<Value: Decodable>(_ arguments: String...) async throws -> Value {
        let run = await run(arguments + ["--json"])
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return try JSONDecoder().decode(Value.self, from: Data(run.output.utf8))
    }

    /// Makes this person an owner of the red bicycle A B.
    func becomeOwner() async throws {
        _ = try await output("owner", "create")
        _ = try await output("bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
    }
}
