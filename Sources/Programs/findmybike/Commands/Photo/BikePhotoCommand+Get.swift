import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient

extension BikePhotoCommand {
    struct Get: AsyncParsableCommand {
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

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let found = try await photo.find(on: bike, at: registry)
            try NewPrivateFile.write(try await registry.picture(of: found.id, on: bike.id, size), to: output)
            try options.show(["photo": "\(found.id)", "output": output], "The photo is in \(output).")
        }
    }
}

/// A new file that nobody else can read.
enum NewPrivateFile {
    /// Refuses a path where something exists, before work is done for the file.
    static func requireNew(_ path: String) throws(CommandFailure) {
        guard access(HomePath.expand(path), F_OK) != 0 else {
            throw CommandFailure(.cannotCreate, "\(path) exists: choose another name, or move it away")
        }
    }

    /// Writes a file, and never overwrites one.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = open(HomePath.expand(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
        } catch {
            unlink(HomePath.expand(path))
            throw CommandFailure(.ioError, "\(path) could not be written: \(error)")
        }
    }
}
