import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension BikePhotoCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a photo permanently.",
            discussion: "  findmybike bike photo remove brompton --photo 2")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var photo: PhotoArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let found = try await photo.find(on: bike, at: registry)
            try confirmation.confirm(
                "Remove the photo of \(found.created.local) of \(bike.make) \(bike.model) permanently?")
            try await registry.removePhoto(found.id, of: bike.id)
            try options.show(["removed": "\(found.id)"], "The photo is gone.")
        }
    }
}
