import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Syntax

extension BikePhotoCommand {
    struct Order: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a bike’s photos in order; the first one stands for the bike.",
            discussion: """
                Photos that you do not name follow in their present order.
                  findmybike bike photo order brompton --photos 3
                  findmybike bike photo order brompton --photos 3,1,2
                """
        )

        @OptionGroup var argument: BikeArgument

        @Option(help: ArgumentHelp("The photos in their new order, separated by commas.", valueName: "numbers"))
        var photos: String

        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let present = try await registry.photos(of: bike.id)
            var first: [Photo] = []
            for name in photos.split(at: ",") {
                let photo = try PhotoArgument.pick(String(name.drop { $0 == " " }), among: present)
                guard !first.contains(photo) else {
                    throw CommandFailure(.usage, "photo ‘\(name)’ is named twice: name each once")
                }
                first.append(photo)
            }
            let order = first + present.filter { !first.contains($0) }
            let ordered = try await registry.orderPhotos(order.map(\.id), of: bike.id)
            if options.json { return try ordered.forEach { try Output.json($0) } }
            Output.line("The photos of \(bike.make) \(bike.model) are in their new order.")
        }
    }
}
