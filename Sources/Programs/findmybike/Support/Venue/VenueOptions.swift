import ArgumentParser
import CommandSupport
import Foundation
import HTTPClient
import MonitorConfiguration
import Settings
import StatusSocket
import Terminal

/// The options that select the monitor: the one of this machine.
struct VenueOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The monitor’s Unix socket.", valueName: "path"))
    var socket: String?

    @Option(name: .long, help: ArgumentHelp("The monitor’s settings file, which names the socket.", valueName: "path"))
    var config: String?

    func connect() throws -> VenueMonitor {
        let settings = try ProgramSettings(
            known: MonitorSettings.all, file: config,
            arguments: socket.map { [MonitorSettings.statusSocket.key: $0] } ?? [:],
            environment: ExecutionEnvironment.current.variables)
        return try VenueMonitor(settings)
    }
}

/// The monitor of a venue, with an explanation of every failure.
struct VenueMonitor {
    let path: String
    let client: StatusClient

    init(_ settings: ProgramSettings) throws {
        path = settings.value(MonitorSettings.statusSocket)
        client = try StatusClient(socket: path)
    }

    /// Calls the monitor.
    ///
    /// - Throws: ``CommandFailure`` if the monitor refuses the call, cannot be reached or is of another version.
    func ask<Answer>(_ question: (StatusClient) async throws -> Answer) async throws -> Answer {
        do {
            return try await question(client)
        } catch let refusal as StatusClient.Refusal {
            throw CommandFailure(refusal.status == 404 ? .dataError : .temporaryFailure, refusal.description)
        } catch is DecodingError {
            throw CommandFailure(.unavailable, "the program at \(path) is not a monitor of this version")
        } catch is HTTPError {
            throw failure
        }
    }

    /// The group of the socket's folder: a user who may not enter the folder cannot examine the socket.
    private var group: String {
        let folder = (path as NSString).deletingLastPathComponent
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        return attributes?[.groupOwnerAccountName] as? String ?? "findmybike"
    }

    /// Why the socket cannot be reached, with the remedy.
    private var failure: CommandFailure {
        guard access(path, R_OK | W_OK) == 0 else {
            guard errno == EACCES else {
                return CommandFailure(
                    .unavailable, "no monitor serves its status at \(path): start it, or give --socket or --config")
            }
            guard group != "root" else {
                return CommandFailure(.noPermission, "\(path) is for root only: use sudo")
            }
            return CommandFailure(
                .noPermission,
                "you may not use \(path): join its group with ‘sudo usermod -aG \(group) \(NSUserName())’, and "
                    + "log in again; or use sudo")
        }
        return CommandFailure(.unavailable, "the monitor at \(path) does not answer: is it running?")
    }
}
