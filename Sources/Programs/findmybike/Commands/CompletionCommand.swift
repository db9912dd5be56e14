import ArgumentParser
import Terminal

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a script that completes this program’s commands and options in a shell.",
        discussion: """
            The package installs these scripts. To install one by hand:
              findmybike completion bash > ~/.local/share/bash-completion/completions/findmybike
              findmybike completion fish > ~/.config/fish/completions/findmybike.fish
              findmybike completion zsh > ~/.zfunc/_findmybike
            """
    )

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var completion: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() { Console.output.lines(FindMyBike.completionScript(for: shell.completion)) }
}
