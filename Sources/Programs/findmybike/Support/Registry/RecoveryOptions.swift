import ArgumentParser

/// The code that confirms actions that a thief with the owner's computer must not perform.
struct RecoveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One of your recovery codes; needed while a bike is missing.", valueName: "code"))
    var recoveryCode: String?
}
