import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

extension BikePhotoCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s photos in your order.",
            discussion: "  findmybike bike photo list brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let photos = try await registry.photos(of: bike.id)
            if options.json { return try photos.forEach { try Output.json($0) } }
            guard !photos.isEmpty else {
                return Output.line("\(bike.make) \(bike.model) has no photos: ‘findmybike bike photo add’ adds one.")
            }
            Output.table(
                ["PHOTO", "ADDED", "PIXELS", "SIZE", "ID"],
                zip(1..., photos).map { number, photo in
                    [
                        "\(number)", photo.created.local, "\(photo.width)×\(photo.height)",
                        "\((photo.bytes + 1023) / 1024) kB", "\(photo.id)",
                    ]
                })
        }
    }
}

/// One of a bike's photos.
struct PhotoArgument: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Its number, as ‘findmybike bike photo list’ shows it, or its identifier. Not needed with a single photo.",
            valueName: "number"))
    var photo: String?

    func find(on bike: Bike, at registry: RegistryConnection) async throws -> Photo {
        let photos = try await registry.photos(of: bike.id)
        if photo == nil, let only = photos.first, photos.count == 1 { return only }
        guard let photo else {
            throw CommandFailure(
                .usage, "\(bike.make) \(bike.model) has \(counted(photos.count, "photo")): name one with --photo")
        }
        return try Self.pick(photo, among: photos)
    }

    static func pick(_ name: String, among photos: [Photo]) throws(CommandFailure) -> Photo {
        if let number = Int(name), photos.indices.contains(number - 1) { return photos[number - 1] }
        if let id = PhotoID(name), let photo = photos.first(where: { $0.id == id }) { return photo }
        throw CommandFailure(
            .dataError,
            "there is no photo ‘\(name)’: the bike has \(counted(photos.count, "photo")), see ‘findmybike bike photo list’"
        )
    }
}
