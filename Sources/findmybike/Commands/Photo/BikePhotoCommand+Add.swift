import ArgumentParser
import CommandLines
import Foundation
import Photos
import RegistryAPI
import RegistryClient

extension BikePhotoCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add photos, JPEG files of up to 8 MB and 50 megapixels.",
            discussion: """
                A bike has up to six. The registry keeps smaller pictures without the place and the other data that a camera
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

        func run() async throws {
            // All files first: a wrong one is named before anything is sent.
            let files = try file.map { (name: $0, bytes: try Self.read($0)) }
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            for file in files {
                let photo = try await registry.addPhoto(file.bytes, to: bike.id)
                try options.show(
                    photo, "\(file.name) is a photo of \(bike.make) \(bike.model) now, \(photo.width)×\(photo.height).")
            }
        }

        /// The content of a file that the registry will probably take.
        private static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
            let path = HomePath.expand(name)
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw CommandFailure(.noInput, "\(name) cannot be read: \(String(cString: strerror(errno)))")
            }
            defer { try? file.close() }
            let length = (try? file.seekToEnd()) ?? 0
            guard length <= PhotoLimits.bytes else {
                throw CommandFailure(.dataError, "\(name): \(PhotoRefusal.tooLong)")
            }
            guard (try? file.seek(toOffset: 0)) != nil, let data = try? file.readToEnd() ?? Data() else {
                throw CommandFailure(.noInput, "\(name) cannot be read: it is no ordinary file")
            }
            let bytes = Array(data)
            do throws(PhotoRefusal) {
                _ = try JPEGHeader(bytes)
            } catch {
                throw CommandFailure(.dataError, "\(name): \(error)")
            }
            return bytes
        }
    }
}
