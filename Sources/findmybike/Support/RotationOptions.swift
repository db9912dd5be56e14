import ArgumentParser
import CommandLines
import Files
import RegistryAPI

/// Options for a new rotating beacon, and the file for its key.
struct RotationOptions: ParsableArguments {
    @Flag(help: "Make a key for a rotating beacon.")
    var rotating = false

    @Option(
        help: ArgumentHelp(
            "The file for the key, which must not exist yet. Without it, the key is printed.", valueName: "path"))
    var keyFile: String?

    func validate() throws {
        guard rotating || keyFile == nil else { throw ValidationError("Only --rotating makes a key: add it.") }
    }

    /// The file, after checking that it can be written: the key is shown only once.
    func checkedFile() throws -> SecretFile? {
        guard let keyFile else { return nil }
        let file = SecretFile(path: keyFile)
        guard !file.exists else { throw CommandFailure(.cannotCreate, "\(keyFile) exists already: name another file") }
        if let obstacle = file.obstacle { throw CommandFailure(obstacle) }
        return file
    }

    /// Writes the key of a bike's new beacon. If that fails, it is printed, since the registry does not show it again.
    func keep(_ bike: Bike, in file: SecretFile?) throws {
        guard let file, let key = bike.rotation?.key else { return }
        do {
            try file.create(key)
        } catch {
            Output.line("The key: \(key)")
            throw CommandFailure(error)
        }
    }
}
