import DBus
import Scanning

/// The events to which a session reacts.
enum SessionEvent: Sendable {
    /// bluetoothd started or ended.
    case daemon(isRunning: Bool)
    case adapterAdded
    case adapterRemoved
    /// The adapter was switched on or off, or discovery started or ended; whether it is on, if the signal says so.
    case changed(isPowered: Bool?)
    case monitorActivated
    case monitorReleased
    /// bluetoothd did not activate the monitor in time.
    case monitorOverdue
    /// It is time to query bluetoothd again after a failure.
    case retry
    /// An adapter that is off has been off for long enough; the number of times that it had gone off by then.
    case powerAgain(Int)
    /// It has not gone off again for the longest wait.
    case stayedOn(Int)
    /// Somebody asks for a recovery step and waits for its outcome.
    case recover(RecoveryStep, Listening.Outcome)
    /// The connection to the bus was lost.
    case lost(DBusError)

    var isChange: Bool {
        if case .changed = self { true } else { false }
    }
}
