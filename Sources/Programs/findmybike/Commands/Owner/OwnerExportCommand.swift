import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct OwnerExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that the registry stores about you, as JSON.",
        discussion: """
            The JSON does not contain the pictures of photos: --photos writes them to a new folder, named by their \
            identifiers in the JSON.
              findmybike owner export --output me.json --photos my-photos
            """
    )

    @Option(name: .shortAndLong, help: ArgumentHelp("File to write; by default standard output.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("A new folder for the pictures of all photos.", valueName: "path"))
    var photos: String?

    @OptionGroup var options: RegistryOptions

    /// The maximum size of an export in bytes: 1 GiB.
    private static let maximumSize = 1 << 30

    func run() async throws {
        // An export is as long as the account is old, and may come over a slow line.
        let registry = try options.connect(responseLimit: Self.maximumSize, timeout: .seconds(3600))
        if let photos { try await Self.writePhotos(to: photos, from: registry) }
        let body = try await registry.exportOwner()
        guard let output else { return Console.output.json(String(decoding: body, as: UTF8.self)) }
        // The file holds places and private details: other users must not be able to read it, and no file is
        // overwritten.
        let descriptor = open(HomePath.expand(output), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(output) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(body) + Data("\n".utf8))
        } catch {
            throw CommandFailure(.ioError, "\(output) cannot be written: \(error)")
        }
        Output.line("Everything about you is in \(output).")
    }

    /// Writes the large pictures of all photos into a folder that other users cannot read.
    private static func writePhotos(to folder: String, from registry: RegistryConnection) async throws {
        let path = HomePath.expand(folder)
        guard mkdir(path, 0o700) == 0 else {
            throw CommandFailure(.cannotCreate, "\(folder) cannot be created: \(String(cString: strerror(errno)))")
        }
        for bike in try await registry.allBikes() {
            for photo in try await registry.photos(of: bike.id) {
                let picture = try await registry.picture(of: photo.id, on: bike.id, .large)
                try NewPrivateFile.write(picture, to: "\(path)/\(photo.id).jpg")
            }
        }
    }
}
