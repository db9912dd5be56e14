import ArgumentParser
import CommandLines
import Foundation
import RegistryClient
import Terminal

struct OwnerExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that the registry keeps about you, as JSON.",
        discussion: "  findmybike owner export --output me.json"
    )

    @Option(name: .shortAndLong, help: ArgumentHelp("File to write; standard output if absent.", valueName: "path"))
    var output: String?

    @OptionGroup var options: RegistryOptions

    func run() async throws {
        let registry = try options.connect()
        let body = try await registry.exportOwner()
        guard let output else { return Console.output.json(String(decoding: body, as: UTF8.self)) }
        // The file holds places and private details: nobody else may read it, and no file is overwritten.
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
}
