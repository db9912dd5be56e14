import ArgumentParser
import CommandSupport
import Foundation
import Photos
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

struct BikePhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Photos of your bikes, which only you and members see.",
        subcommands: [Add.self, List.self, Get.self, Order.self, Staff.self, Remove.self]
    )
}

extension BikePhotoCommand {
    struct Add: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add photos, JPEG files of up to \(PhotoLimits.bytes >> 20) MB and 50 megapixels.",
            discussion: """
                A bike has up to six. The registry keeps smaller pictures without the place and the other data that a camera \
                writes into its files.
                  findmybike bike photo add brompton --file left.jpg --file right.jpg
                """
        )

        @OptionGroup var argument: BikeArgument

        @Option(
            help: ArgumentHelp("A JPEG file; give the option again for more.", valueName: "path"), completion: .file())
        var file: [String]

        @OptionGroup var options: CallOptions

        func validate() throws {
            if file.isEmpty { throw ValidationError("no photo is named: give --file") }
        }

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            var refused: [CommandFailure] = []
            for (index, name) in file.enumerated() {
                do {
                    let photo = try await registry.addPhoto(Self.readPhoto(name), to: bike.id)
                    try options.show(
                        photo, "\(name) is a photo of \(bike.make) \(bike.model) now, \(photo.width)×\(photo.height).")
                } catch {
                    guard let failure = CommandFailure(common: error) ?? CommandFailure(error) else { throw error }
                    refused.append(CommandFailure(failure.status, "\(name): \(failure.message)"))
                    guard Self.isAboutFile(error) else {
                        // The others would fail for the same reason.
                        refused += file[(index + 1)...].map { CommandFailure(failure.status, "\($0): not sent") }
                        break
                    }
                }
            }
            guard let last = refused.last else { return }
            // The error that stopped the command determines the status; otherwise all errors are refusals of files.
            throw CommandFailure(last.status, refused.map(\.message).joined(separator: "\n"))
        }

        /// Whether the next file may be accepted.
        private static func isAboutFile(_ error: any Error) -> Bool {
            switch error {
            case is CommandFailure: true
            case RegistryError.refused(let problem, _): [413, 422].contains(problem.status)
            case RegistryError.unexpectedStatus(413, _): true
            default: false
            }
        }

        /// The picture in a file whose header is that of a photo.
        private static func readPhoto(_ name: String) throws(CommandFailure) -> [UInt8] {
            guard let file = FileHandle(forReadingAtPath: HomePath.expand(name)) else {
                throw CommandFailure(.noInput, "the file cannot be read: \(String(cString: strerror(errno)))")
            }
            defer { try? file.close() }
            let bytes: [UInt8]
            do {
                // One byte more than the limit, so that a longer picture is recognised.
                bytes = [UInt8](try file.read(upToCount: PhotoLimits.bytes + 1) ?? Data())
            } catch {
                throw CommandFailure(.noInput, "the file cannot be read: it is not a regular file")
            }
            do throws(PhotoRefusal) {
                // Without the data that a phone puts behind the picture, such as a film.
                return Array(bytes.prefix(try JPEGHeader(bytes).length))
            } catch {
                throw CommandFailure(.dataError, "\(error)")
            }
        }
    }
}

extension BikePhotoCommand {
    struct Get: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Download a photo, upright and without a camera’s data.",
            discussion: "  findmybike bike photo get brompton --photo 2 --output left.jpg")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var photo: PhotoArgument

        @Option(help: "large (at most 1600 pixels) or small (at most 400).")
        var size = PhotoSize.large

        @Option(
            name: .shortAndLong, help: ArgumentHelp("The file to write; it must not be there yet.", valueName: "path"))
        var output: String

        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try await photo.find(on: bike, at: registry)
            try NewPrivateFile.write(try await registry.picture(of: found.id, on: bike.id, size), to: output)
            try options.show(["photo": "\(found.id)", "output": output], "The photo is in \(output).")
        }
    }
}

extension BikePhotoCommand {
    struct List: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a bike’s photos in your order.",
            discussion: "  findmybike bike photo list brompton")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
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
                        "\(Int((Double(photo.bytes) / 1024).rounded(.up))) kB", "\(photo.id)",
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

    /// The photo with a number, counted from 1, or with an identifier.
    static func pick(_ name: String, among photos: [Photo]) throws(CommandFailure) -> Photo {
        if let number = Int(name), photos.indices.contains(number - 1) { return photos[number - 1] }
        if let id = PhotoID(name), let photo = photos.first(where: { $0.id == id }) { return photo }
        throw CommandFailure(
            .dataError,
            "there is no photo ‘\(name)’: the bike has \(counted(photos.count, "photo")), see ‘findmybike bike photo list’"
        )
    }
}

extension BikePhotoCommand {
    struct Order: OneBikeCommand {
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

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
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

extension BikePhotoCommand {
    struct Remove: OneBikeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a photo permanently.",
            discussion: "  findmybike bike photo remove brompton --photo 2")

        @OptionGroup var argument: BikeArgument
        @OptionGroup var photo: PhotoArgument
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try await photo.find(on: bike, at: registry)
            try confirmation.confirm(
                "Remove the photo of \(found.created.local) of \(bike.make) \(bike.model) permanently?")
            try await registry.removePhoto(found.id, of: bike.id)
            try options.show(["removed": "\(found.id)"], "The photo is gone.")
        }
    }
}

extension BikePhotoCommand {
    struct Staff: OneBikeCommand {
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

        func run(on bike: Bike, at registry: RegistryConnection) async throws {
            let found = try await photo.find(on: bike, at: registry)
            let changed = try await registry.letStaffSee(!hide, found.id, of: bike.id)
            let text = hide ? "Staff no longer see the photo." : "Staff see the photo while the missing bike is there."
            try options.show(changed, text)
        }
    }
}
