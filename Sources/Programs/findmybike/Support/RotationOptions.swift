import ArgumentParser
import CommandSupport
import OperatingSystem
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

    /// The file, after checking that it can be written: the key is shown only once. Nil if the key is to be printed.
    func checkedFile() throws -> SecretFile? {
        guard let keyFile else { return nil }
        let file = SecretFile(path: keyFile)
        guard !file.exists else { throw CommandFailure(.cannotCreate, "\(keyFile) exists already: name another file") }
        if let obstacle = file.obstacle { throw CommandFailure(obstacle) }
        return file
    }

    /// Writes the key of a bike's new beacon. If that fails, or without a file, it is printed, since the registry does not
    /// show it again.
    func keep(_ bike: Bike, in file: SecretFile?) throws {
        guard let key = bike.rotation?.key else { return }
        let loss =
            "\(bike.make) \(bike.model) has the identifier \(bike.id) and a new rotating beacon, but the beacon’s key was "
            + "not printed, and it cannot be shown again. Make another with ‘findmybike bike beacon retire \(bike.id) "
            + "--rotating --key-file bike.key’."
        guard let file else { return Output.secretFollows(ifLost: loss) }
        do {
            try file.create(key)
        } catch {
            Output.secretFollows(ifLost: loss)
            Output.line("The key: \(key)")
            throw CommandFailure(error)
        }
    }
}
