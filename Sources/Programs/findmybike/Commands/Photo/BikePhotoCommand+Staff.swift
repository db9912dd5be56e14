import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

extension BikePhotoCommand {
    struct Staff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the staff of venues see a photo, or no longer.",
            discussion: """
                A station's display and its alarm then show a small picture, only while the bike is missing and there.
                  findmybike bike photo staff brompton --photo 2
                  findmybike bike photo staff brompton --photo 2 --hide
                """
        )

        @OptionGroup var argument: BikeArgument
        @OptionGroup var photo: PhotoArgument

        @Flag(help: "Staff no longer see the photo.")
        var hide = false

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let found = try await photo.find(on: bike, at: registry)
            let changed = try await registry.letStaffSee(!hide, found.id, of: bike.id)
            let text = hide ? "Staff no longer see the photo." : "Staff see the photo while the missing bike is there."
            try options.show(changed, text)
        }
    }
}
