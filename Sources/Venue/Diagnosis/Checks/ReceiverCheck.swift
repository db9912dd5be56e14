import Scanning
import StationStatus
import Syntax
import Terminal

/// Whether the receivers in the venue's network can be heard.
enum ReceiverCheck {
    /// One check for each receiver; one if there are none.
    static func judge(_ states: ReceiverStates) -> [Check] {
        switch states {
        case .misconfigured(let reason):
            let oneLine = reason.replacing(scalars: ["\n": "; "])
            return [CheckSubject.receiver.failure(oneLine, remedy: "correct receivers in the monitor’s settings")]
        case .configured([]): return [CheckSubject.receiver.notApplicable("none in the settings")]
        case .configured(let receivers): return receivers.map(judge)
        }
    }

    private static func judge(_ receiver: ReceiverState) -> Check {
        let subject = CheckSubject.receiver
        let (name, source) = (receiver.name, receiver.source)
        switch receiver.finding {
        case .reported(let radio): return judge(radio, name, source)
        case .unknownToMonitor:
            return subject.warning("\(name): the running monitor does not have it", remedy: restart)
        case .reachable:
            return subject.ok("\(name): accepts connections at \(source); no monitor is running that listens to it")
        case .unreachable(let reason):
            return subject.failure(
                "\(name): \(reason)", remedy: "check its power, its network and its address (\(source))")
        case .untested:
            return subject.notApplicable("\(name): not tested, because no monitor is running that listens to \(source)")
        }
    }

    private static func judge(_ radio: StatusReport.Radio, _ name: String, _ source: String) -> Check {
        let subject = CheckSubject.receiver
        switch radio.state.known {
        case .scanning:
            let age = radio.lastReportAge.flatMap { Int(exactly: $0.rounded(.down)) }
            let last = age.map { ", the last \($0) s ago" } ?? ""
            let heard = counted(radio.reports, "advert")
            return subject.ok("\(name): the monitor listens to \(source): \(heard)\(last)")
        case .failed:
            return subject.failure(
                "\(name): \(radio.lastError ?? "it does not work")",
                remedy: "correct that at \(source), or in receivers of the settings; then restart the monitor")
        default:
            if let error = radio.lastError {
                return subject.warning(
                    "\(name): \(error)", remedy: "correct that at \(source); the monitor keeps trying")
            }
            return subject.warning(
                "\(name): the monitor does not hear \(source) yet", remedy: "wait a minute, and run this again")
        }
    }

    private static let restart = "restart the monitor: sudo systemctl restart findmybike-monitor"
}
