import ArgumentParser

struct OwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Your account at the registry.",
        subcommands: [
            OwnerCreateCommand.self, OwnerShowCommand.self, OwnerEditCommand.self, OwnerTokenCommand.self,
            OwnerRecoverCommand.self, OwnerRecoveryCodesCommand.self, OwnerExportCommand.self, OwnerEraseCommand.self,
            OwnerInviteCommand.self, OwnerListCommand.self, OwnerReviewCommand.self, OwnerSuspendCommand.self,
            OwnerResumeCommand.self, OwnerVerifyCommand.self, OwnerQuotaCommand.self,
        ]
    )
}
