import ArgumentParser
import CommandLines
import Foundation
import Photos
import RegistryAPI
import RegistryClient

extension BikePhotoCommand {
    struct Add: AsyncParsableCommand {
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

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            var refused: [CommandFailure] = []
            for (index, name) in file.enumerated() {
                do {
                    let photo = try await registry.addPhoto(Self.read(name), to: bike.id)
                    try options.show(
                        photo, "\(name) is a photo of \(bike.make) \(bike.model) now, \(photo.width)×\(photo.height).")
                } catch {
                    guard let failure = CommandFailure(common: error) ?? CommandFailure(error) else { throw error }
                    refused.append(CommandFailure(failure.status, "\(name): \(failure.message)"))
                    guard Self.isAboutFile(error) else {
                        refused += file[(index + 1)...].map { CommandFailure(failure.status, "\($0): not sent") }
                        break
                    }
                }
            }
            guard let last = refused.last else { return }
            // What stopped the command decides; otherwise all are refusals of files.
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
        private static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
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
                // Nothing that a phone puts behind the picture, such as a film.
                return Array(bytes.prefix(try JPEGHeader(bytes).length))
            } catch {
                throw CommandFailure(.dataError, "\(error)")
            }
        }
    }
}
