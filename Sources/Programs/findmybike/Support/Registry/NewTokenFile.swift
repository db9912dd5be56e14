import ArgumentParser

/// The file for a new token.
struct NewTokenFile: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("File for the token; it must not exist yet.", valueName: "path"))
    var output: String

    /// The file, after checking that it can be written.
    func checked() throws -> TokenFile {
        let file = TokenFile(path: output)
        try file.checkWritable()
        return file
    }
}
