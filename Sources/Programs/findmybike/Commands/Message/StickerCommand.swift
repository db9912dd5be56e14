import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct StickerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sticker",
        abstract: "The code on your bike, with which a finder can write to you.",
        subcommands: [Create.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a code for a bike’s sticker.",
            discussion: """
                Print the sheet at 100 %, or write the address on a sticker. It says nothing about you or the bike. A new code \
                replaces the previous one: earlier stickers stop working.
                  findmybike sticker create brompton --sheet stickers.svg
                """)

        @OptionGroup var argument: BikeArgument

        @Option(help: ArgumentHelp("A new file for a page to print, as SVG, with QR codes.", valueName: "path"))
        var sheet: String?

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            // Do not replace the code if the sheet cannot be written.
            if let sheet { try NewPrivateFile.requireNew(sheet) }
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            if try await registry.hasSticker(on: bike.id) {
                try confirmation.confirm(
                    "Replace the code of \(bike.make) \(bike.model)? Earlier stickers stop working.")
            }
            let created = try await registry.setSticker(on: bike.id)
            // The code is shown before the sheet is written, so that it is not lost if writing fails.
            Output.secretFollows(
                ifLost: "\(bike.make) \(bike.model) has a new code, but it was not printed, and earlier stickers no "
                    + "longer work. Make another code, which replaces it.")
            guard !options.json else {
                try Output.json(created)
                return try write(created)
            }
            if let link = created.link { Output.line(link) }
            Output.line("Code: \(created.code)")
            Output.line(
                "Put it on \(bike.make) \(bike.model). It is shown only now; an earlier code no longer works.")
            try write(created)
            if let sheet { Output.line("The page to print is in \(sheet).") }
        }

        private func write(_ created: StickerCreated) throws {
            guard let sheet else { return }
            guard let content = created.sheet else {
                throw CommandFailure(.dataError, "the registry has no public URL, so there is nothing to print")
            }
            try NewPrivateFile.write(Array(content.utf8), to: sheet)
        }
    }

    struct Revoke: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke the code of a bike’s sticker.",
            discussion: """
                Conversations that were begun with it go on.
                  findmybike sticker revoke brompton
                """)

        @OptionGroup var argument: BikeArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            guard try await registry.hasSticker(on: bike.id) else {
                throw CommandFailure(.dataError, "\(bike.make) \(bike.model) has no code")
            }
            try confirmation.confirm("Revoke the code on the sticker of \(bike.make) \(bike.model)?")
            try await registry.revokeSticker(of: bike.id)
            try options.show(["revoked": "\(bike.id)"], "This code can no longer be used to write.")
        }
    }
}
