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

        /// The content of a file whose header is that of a photo.
        private static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
            guard let file = FileHandle(forReadingAtPath: HomePath.expand(name)) else {
                throw CommandFailure(.noInput, "\(name) cannot be read: \(String(cString: strerror(errno)))")
            }
            defer { try? file.close() }
            let bytes: [UInt8]
            do {
                // One byte more than the limit, so that a longer file is recognised.
                bytes = [UInt8](try file.read(upToCount: PhotoLimits.bytes + 1) ?? Data())
            } catch {
                throw CommandFailure(.noInput, "\(name) cannot be read: it is not a regular file")
            }
            do throws(PhotoRefusal) {
                _ = try JPEGHeader(bytes)
            } catch {
                throw CommandFailure(.dataError, "\(name): \(error)")
            }
            return bytes
        }
    }
}
