import ArgumentParser
import CommandSupport
import Evidence
import Notifiers
import OperatingSystem
import RegistryAPI
import RegistryRules
import Settings
import Terminal

/// `findmybike-registry key …`: manages the keys that are kept in files.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the keys for evidence, rotating beacons and Web Push.",
        discussion: """
            The key that signs evidence is in the file that evidence.keyFile names, outside the database. Publish its fingerprint where
            people find it without the registry. Back up the file: without it, the registry cannot sign.
            The service reads the file when it starts.
            """,
        subcommands: [Create.self, Rotate.self, Show.self, CreateBeacons.self, CreateWebPush.self]
    )

    /// The options of commands that use the key that signs evidence.
    struct Options: ParsableArguments {
        @OptionGroup var options: SettingsOptions

        @Option(name: .long, help: ArgumentHelp("The file with the key.", valueName: "path"))
        var keyFile: String?

        /// The settings, in which --key-file takes the place of evidence.keyFile.
        func settings() throws(SettingsError) -> ProgramSettings {
            var arguments: [String: String] = [:]
            arguments[RegistrySettings.keyFile.key] = keyFile
            return try options.settings(arguments)
        }

        /// - Throws: ``CommandFailure`` if no file is named.
        func file() throws -> KeyringFile {
            guard let path = try settings().value(RegistrySettings.keyFile) else {
                throw CommandFailure(
                    .configuration,
                    "no key file is set: set evidence.keyFile in the settings file, or give --key-file PATH")
            }
            return KeyringFile(path: path)
        }
    }

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the first key; an existing file is not changed.",
            discussion: "  findmybike-registry key create --config /etc/findmybike/registry.yaml"
        )

        @OptionGroup var options: Options
        @OptionGroup var output: OutputOptions

        func run() throws {
            let keyring = Keyring(at: WallClock.system.now)
            try options.file().create(keyring)
            try output.show(keyring.current, keyring.current.line)
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the key in use with a new one.",
            discussion: """
                Destroys the old private key. Its public key stays published, so that its signatures can still be
                verified. Restart the service afterwards.
                  findmybike-registry key rotate --config /etc/findmybike/registry.yaml
                """
        )

        @OptionGroup var options: Options
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let file = try options.file()
            let old = try file.read()
            try confirmation.confirm("Destroy private key \(old.current.version) and make a new one?")
            let keyring = old.rotated(at: WallClock.system.now)
            try file.replace(by: keyring)
            try output.show(keyring.current, keyring.current.line)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List all keys, the one in use last.",
            discussion: "  findmybike-registry key show --config /etc/findmybike/registry.yaml"
        )

        @OptionGroup var options: Options
        @OptionGroup var output: OutputOptions

        func run() throws {
            for key in try options.file().read().keys { try output.show(key, key.line) }
        }
    }
}

extension KeyCommand {
    struct CreateBeacons: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the key that encrypts rotating beacons’ keys. An existing file is not changed.",
            discussion: """
                Back up the file that beacons.keyFile names, but not together with the database: with both, anyone can \
                follow the bikes. If it is lost, bikes with rotating beacons cannot be found until it is restored. \
                Several registries need the same file.
                  findmybike-registry key create-beacons --config /etc/findmybike/registry.yaml
                """
        )

        @OptionGroup var options: SettingsOptions
        @OptionGroup var output: OutputOptions

        @Option(name: .long, help: ArgumentHelp("The file for the key.", valueName: "path"))
        var keyFile: String?

        func run() throws {
            let path = try options.newKeyFile(keyFile, RegistrySettings.beaconKeyFile)
            try BeaconVaultFile(path: path).create()
            var lines = ["Made \(path)."]
            if try options.settings().value(RegistrySettings.beaconKeyFile) != path {
                lines += ["Add to the registry’s settings, and restart the service:", "beacons:", "  keyFile: \(path)"]
            }
            try output.show(["keyFile": path], lines: lines)
        }
    }

    struct CreateWebPush: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the key for Web Push; an existing file is not changed.",
            discussion: """
                Browsers bind their subscriptions to it. Back up the file that webpush.keyFile names: with another key, \
                all subscriptions are lost.
                  findmybike-registry key create-web-push --config /etc/findmybike/registry.yaml
                """
        )

        @OptionGroup var options: SettingsOptions
        @OptionGroup var output: OutputOptions

        @Option(name: .long, help: ArgumentHelp("The file for the key.", valueName: "path"))
        var keyFile: String?

        func run() throws {
            let path = try options.newKeyFile(keyFile, RegistrySettings.webPushKeyFile)
            let key = VAPIDKey()
            try SecretFile(path: path).create(String(decoding: try key.encoded(), as: UTF8.self))
            try output.show(["publicKey": "\(key.publicKey)"], "\(key.publicKey)")
        }
    }
}

extension SettingsOptions {
    /// The path for a new key: the option's, or that of the settings.
    fileprivate func newKeyFile(_ option: String?, _ setting: Setting<String>) throws -> String {
        var arguments: [String: String] = [:]
        arguments[setting.key] = option
        guard let path = try settings(arguments).value(setting) else {
            throw CommandFailure(
                .configuration,
                "no key file is set: set \(setting.key) in the settings file, or give --key-file PATH")
        }
        return path
    }
}

extension PublishedKey {
    /// The key for a person, without the key itself.
    fileprivate var line: String {
        let until = retired.map { " until \(LocalTime.text(of: $0))" } ?? ""
        return "key \(version), since \(LocalTime.text(of: created))\(until), fingerprint \(fingerprint)"
    }
}
