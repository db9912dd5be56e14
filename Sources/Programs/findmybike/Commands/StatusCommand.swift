import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

/// `findmybike status`: the account in use, with its bikes and channels.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the registry and account in use, and the state of your bikes and channels.",
        discussion: "  findmybike status",
        aliases: ["whoami"]
    )

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    /// The status as JSON. Only owners have bikes and channels.
    private struct Shown: Encodable {
        let registry: String
        let tokenFile: String
        /// `owner`, `operator` or `station`.
        let kind: String
        var owner: Owner?
        var bikes: [Bike]?
        var channels: [Channel]?
    }

    func run() async throws {
        let file = TokenFile(try options.settings())
        let registry = try options.connect()
        let holder = try await TokenOwner.ask(registry)
        guard let owner = holder.owner else {
            if output.json {
                return try Output.json(Shown(registry: registry.url, tokenFile: file.path, kind: holder.kind))
            }
            return show(registry, file, holder)
        }
        let bikes = try await registry.allBikes()
        let channels = try await registry.allChannels()
        if output.json {
            return try Output.json(
                Shown(
                    registry: registry.url, tokenFile: file.path, kind: holder.kind, owner: owner, bikes: bikes,
                    channels: channels))
        }
        show(registry, file, holder)
        let searches = try await OpenSearches(of: bikes, at: registry)
        Output.line("Bikes      \(Self.text(of: bikes, searches))")
        if let unproved = Self.unproved(bikes) { Output.line("Unproved   \(unproved)") }
        if let waiting = Self.waiting(bikes) { Output.line("Messages   \(waiting)") }
        Output.line("Channels   \(Self.text(of: channels))")
        Output.line("Recovery   \(counted(owner.recoveryCodes, "code")) left")
        searches.remark(on: bikes)
    }

    private func show(_ registry: RegistryConnection, _ file: TokenFile, _ holder: TokenOwner) {
        Output.line("Registry   \(registry.url)")
        Output.line("You are    \(holder.words)")
        Output.line("Token      \(file.path)")
    }

    /// How many bikes there are, and which are missing.
    private static func text(of bikes: [Bike], _ searches: OpenSearches) -> String {
        guard !bikes.isEmpty else { return "none: ‘findmybike bike register’ adds one" }
        let missing = bikes.filter { $0.openReport != nil }.map { bike in
            "\(bike.make) \(bike.model)\(searches[bike]?.searchEnded == nil ? "" : " (search ended)")"
        }
        let state = missing.isEmpty ? "none missing" : "MISSING: \(missing.joined(separator: ", "))"
        return "\(counted(bikes.count, "bike")), \(state)"
    }

    /// The bikes that cannot be reported missing until their beacons are tested; nil if there are none.
    private static func unproved(_ bikes: [Bike]) -> String? {
        let names = bikes.filter { $0.pending != nil }.map { "\($0.make) \($0.model)" }
        return names.isEmpty
            ? nil
            : "\(names.joined(separator: ", ")): run ‘findmybike bike test’, or the bike cannot be reported missing"
    }

    /// The bikes about which finders wait for an answer; nil if there are none.
    private static func waiting(_ bikes: [Bike]) -> String? {
        let names = bikes.compactMap { bike in
            bike.waitingMessages.map { "\(bike.make) \(bike.model) (\($0))" }
        }
        return names.isEmpty
            ? nil : "waiting for an answer: \(names.joined(separator: ", ")): ‘findmybike message list’"
    }

    /// How many channels there are, and whether they work.
    private static func text(of channels: [Channel]) -> String {
        guard !channels.isEmpty else { return "none, so nothing can alert you: ‘findmybike channel add’ adds one" }
        let usable = channels.filter(\.isUsable).count
        let rest = usable == channels.count ? "" : ", \(channels.count - usable) not working: ‘findmybike channel list’"
        return "\(counted(channels.count, "channel"))\(rest)"
    }
}

extension TokenOwner {
    /// The kind as JSON.
    fileprivate var kind: String {
        switch self {
        case .owner: "owner"
        case .operator: "operator"
        case .station: "station"
        }
    }
}
