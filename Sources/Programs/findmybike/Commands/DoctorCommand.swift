import ArgumentParser
import CommandSupport
import Diagnosis
import Foundation
import Terminal

/// `findmybike doctor`: examines this machine as a station or as an owner's.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine’s radio, permissions, clock and registry, and show what to do.",
        discussion: """
            Changes nothing. The exit status is 0 if no check fails (warnings are allowed), and 1 otherwise.
              findmybike doctor
              sudo -u findmybike-monitor findmybike doctor --config /etc/findmybike/monitor.yaml
            """
    )

    @Option(
        help: ArgumentHelp(
            "Check a monitor’s settings: its registry, token and location instead of yours.", valueName: "path"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("The registry’s address.", valueName: "url"))
    var registry: String?

    @Option(name: .long, help: ArgumentHelp("File with the token to use.", valueName: "path"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("Folder from which system files are read instead of /.", visibility: .hidden))
    var root = "/"

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings = ExaminedSettings(config: config, registry: registry, tokenFile: tokenFile)
        let probes = DoctorProbes(
            files: SystemFiles(root: root), registry: settings.registry, receivers: settings.receivers)
        let doctor = Doctor(
            probes, as: settings.holder, location: settings.location, usesAdapters: settings.usesAdapters)
        let checks = await Progress.during("checking this machine") { await doctor.examine() }
        if output.json {
            try checks.forEach { try Output.json($0) }
        } else {
            CheckTable(checks).print()
            if let remark = await channelRemark(checks) { Output.line(remark) }
        }
        if checks.contains(where: { $0.verdict == .failure }) { throw ExitCode(1) }
    }

    /// A remark if an owner with a valid token cannot be alerted; nil if there is no problem or the registry does not
    /// respond.
    private func channelRemark(_ checks: [Check]) async -> String? {
        guard config == nil, checks.contains(where: { $0.identifier == "token" && $0.verdict == .ok }) else {
            return nil
        }
        var options = RegistryOptions.standard
        (options.registry, options.tokenFile) = (registry, tokenFile)
        guard let channels = try? await options.connect(timeout: .seconds(10)).allChannels() else { return nil }
        if channels.isEmpty {
            return "You have no channel, so nothing can alert you: ‘findmybike channel add’ adds one."
        }
        let failing = channels.count { !$0.isUsable }
        guard failing > 0 else { return nil }
        return
            "\(counted(failing, "channel")) of \(channels.count) not working: ‘findmybike channel list’ shows why."
    }
}
