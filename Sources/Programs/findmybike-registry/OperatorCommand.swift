import ArgumentParser
import CommandSupport
import Logging
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import Settings

/// `findmybike-registry operator …`: manages operators on the server itself, for the first operator and after lost
/// tokens.
struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Manage operators on the server itself, even while the registry is running.",
        subcommands: [OperatorCreateCommand.self, OperatorListCommand.self, OperatorRevokeCommand.self]
    )
}

extension SettingsOptions {
    /// Runs a body with the registry's operations on its database, whether a registry serves it or not.
    fileprivate func withOperations<Result: Sendable>(
        changing isChanging: Bool, _ body: (RegistryOperations) async throws -> Result
    ) async throws -> Result {
        let store = try await DatabasePlace(settings()).openBesideRegistry(isChanging: isChanging)
        let operations = RegistryOperations(
            store: store, logger: Logger(label: "findmybike-registry") { _ in SwiftLogNoOpLogHandler() })
        return try await store.closing { try await body(operations) }
    }
}

/// `findmybike-registry operator create`: prints a new operator's token, only once.
struct OperatorCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an operator, and print the token; it is shown only once.",
        discussion: """
            This works even while the registry is running.
              findmybike-registry operator create --config /etc/findmybike/registry.yaml > operator-token
            """
    )

    @OptionGroup var options: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: ArgumentHelp("The operator’s name, 1 to 64 characters.", valueName: "name"))
    var name = "operator"

    func validate() throws {
        guard (1...64).contains(name.unicodeScalars.count) else {
            throw ValidationError("The name must have 1 to 64 characters.")
        }
    }

    func run() async throws {
        let created = try await options.withOperations(changing: true) {
            try await $0.createOperator(OperatorDraft(name: name), by: nil)
        }
        Output.secretFollows(
            ifLost: "Operator \(created.details.id) was made, but its token was not printed. Revoke it with "
                + "‘findmybike-registry operator revoke \(created.details.id)’, and make another.")
        try output.show(
            ["id": "\(created.details.id)", "name": name, "token": created.token], created.token)
    }
}

/// `findmybike-registry operator list`: lists the operators.
struct OperatorListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the operators.",
        discussion: "  findmybike-registry operator list --config /etc/findmybike/registry.yaml"
    )

    @OptionGroup var options: SettingsOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await options.withOperations(changing: false) { operations in
            var after: OperatorID?
            repeat {
                let page = try await operations.store.operators(PageRequest(after: after, limit: 100))
                try page.items.forEach(show)
                after = page.next
            } while after != nil
        }
    }

    private func show(_ item: Operator) throws {
        let state = item.revoked.map { "revoked \($0)" } ?? "works"
        var fields = ["id": "\(item.id)", "name": item.name, "created": "\(item.created)"]
        fields["revoked"] = item.revoked.map { "\($0)" }
        try output.show(fields, "\(item.id)  \(state)  \(item.name)")
    }
}

/// `findmybike-registry operator revoke`: revokes an operator's token.
struct OperatorRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an operator’s token, even the last one.",
        discussion: """
            The token stops working immediately, even while the registry is running. ‘operator create’ makes another \
            operator.
              findmybike-registry operator revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --config /etc/findmybike/registry.yaml
            """
    )

    @Argument(help: "The operator’s identifier, as ‘operator list’ shows it.")
    var id: String

    @OptionGroup var options: SettingsOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard OperatorID(id) != nil else { throw ValidationError("‘\(id)’ is not an identifier: see ‘operator list’.") }
    }

    func run() async throws {
        guard let id = OperatorID(id) else { return }
        let revoked = try await options.withOperations(changing: true) {
            try await $0.revokeOperator(id, by: nil, keepsLast: false)
        }
        try output.show(["revoked": "\(id)"], "Operator \(revoked.name) was revoked.")
    }
}
