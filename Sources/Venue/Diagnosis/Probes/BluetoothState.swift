public import BlueZ
public import DBus

/// The state of bluetoothd, as seen on the bus.
public enum BluetoothState: Hashable, Sendable {
    /// The system bus cannot be reached.
    case noBus(reason: String)
    /// No process owns the name `org.bluez`.
    case notRunning
    /// The bus's policy does not allow this user to communicate with bluetoothd.
    case denied(processID: Int?)
    /// bluetoothd owns its name, but gives no usable reply.
    case silent(processID: Int?, reason: String)
    case running(processID: Int?, [BlueZAdapter])

    /// The process identifier of the daemon, if it is running and the bus reports it.
    var processID: Int? {
        switch self {
        case .noBus, .notRunning: nil
        case .denied(let processID), .silent(let processID, _), .running(let processID, _): processID
        }
    }

    /// The adapters; nil if they are unknown.
    var adapters: [BlueZAdapter]? {
        guard case .running(_, let adapters) = self else { return nil }
        return adapters
    }

    /// Queries the state once, without waiting for a missing bus.
    public static func now(on address: DBusAddress, timeout: Duration = .seconds(10)) async -> BluetoothState {
        let daemon: BlueZDaemon
        do {
            daemon = BlueZDaemon(try await DBusConnection.open(address), timeout: timeout)
            guard try await daemon.isRunning() else { return .notRunning }
        } catch {
            return .noBus(reason: "\(error)")
        }
        let processID = try? await daemon.processID()
        do {
            return .running(processID: processID, try await daemon.adapters())
        } catch let error as DBusError where error.name == DBusErrorName.accessDenied {
            return .denied(processID: processID)
        } catch {
            return .silent(processID: processID, reason: "\(error)")
        }
    }
}
