import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension MemberCommand {
    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a member another role.",
            discussion: "  findmybike member role anna see brompton")

        @OptionGroup var member: MemberArgument

        @Argument(help: MemberRole.help)
        var role: MemberRole

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let found = try await member.find(on: bike, at: registry)
            let changed = try await registry.changeRole(of: found.id, on: bike.id, to: role)
            try options.show(
                changed, "\(changed.label) has the role ‘\(changed.role.rawValue)’ on \(bike.make) \(bike.model).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Share a bike with somebody no longer.",
            discussion: "  findmybike member remove anna brompton")

        @OptionGroup var member: MemberArgument
        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let found = try await member.find(on: bike, at: registry)
            try confirmation.confirm("Stop sharing \(bike.make) \(bike.model) with \(found.label)?")
            try await registry.removeMember(found.id, of: bike.id)
            try options.show(["removed": "\(found.id)"], "\(found.label) sees \(bike.make) \(bike.model) no longer.")
        }
    }

    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave a bike that somebody shares with you.",
            discussion: "  findmybike member leave brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            guard let own = try await registry.members(of: bike.id).first(where: \.current) else {
                throw CommandFailure(
                    .dataError, "\(bike.make) \(bike.model) is your own: ‘findmybike bike transfer’ hands it over")
            }
            try confirmation.confirm("Leave \(bike.make) \(bike.model)? You will get no more alerts about it.")
            try await registry.removeMember(own.id, of: bike.id)
            try options.show(["left": "\(bike.id)"], "\(bike.make) \(bike.model) is no longer shared with you.")
        }
    }
}
