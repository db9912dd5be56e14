import Beacons
import Presence

/// A simple, slow model of presence, computed from the whole recording, beacon by beacon, with plain loops.
struct ReferenceModel {
    struct Frame {
        let time: ScanInstant
        let beacon: IBeacon
        let rssi: Int8?
    }

    /// An event as the model predicts it; numbers are compared separately.
    struct Told: Hashable, CustomStringConvertible {
        let kind: PresenceEvent.Kind
        let time: ScanInstant
        let identity: BeaconIdentity
        let first: ScanInstant
        let last: ScanInstant
        let frames: Int
        let rssi: ClosedRange<Int8>?

        var description: String {
            "\(kind)@\(time.seconds) \(identity.minor) \(first.seconds)–\(last.seconds) ×\(frames)"
        }
    }

    let configuration: PresenceConfiguration

    /// All events up to the end, at which open visits are finished; sorted by beacon, then by time.
    func events(of frames: [Frame], end: ScanInstant) -> [Told] {
        let identities = Set(frames.map(\.beacon.identity)).sorted()
        return identities.flatMap { identity in
            stays(of: frames.filter { $0.beacon.identity == identity }, end: end)
        }
    }

    private func stays(of frames: [Frame], end: ScanInstant) -> [Told] {
        var told: [Told] = []
        var rest = frames[...]
        while let entry = rest.indices.first(where: { run(rest, endingAt: $0).count >= configuration.enterFrames }) {
            let run = Array(run(rest, endingAt: entry))
            var stay = rest[(entry + 1)...]
            var heard = [rest[entry]]
            while let next = stay.first, let last = heard.last, next.time < last.time + configuration.lostAfter {
                heard.append(next)
                stay = stay.dropFirst()
            }
            told += visits(run: run, heard: heard, end: end)
            rest = stay
        }
        return told
    }

    /// The frames up to this one that are recent enough to open a visit with it.
    private func run(_ frames: ArraySlice<Frame>, endingAt index: Int) -> ArraySlice<Frame> {
        frames[...index].filter { $0.time + configuration.enterWithin >= frames[index].time }[...]
    }

    /// `run` ends with the frame that opens the stay; `heard` begins with it.
    private func visits(run: [Frame], heard: [Frame], end: ScanInstant) -> [Told] {
        var told: [Told] = []
        var visit = run
        func tell(_ kind: PresenceEvent.Kind, _ time: ScanInstant) {
            let signals = visit.compactMap(\.rssi)
            let rssi = signals.min().flatMap { low in signals.max().map { low...$0 } }
            told.append(
                Told(
                    kind: kind, time: time, identity: visit[0].beacon.identity, first: visit[0].time,
                    last: visit[visit.count - 1].time, frames: visit.count, rssi: rssi))
        }
        let entered = heard[0].time
        tell(.entered, entered)
        let lost = heard[heard.count - 1].time + configuration.lostAfter
        var toldOf = 1
        var next = 1
        var due = entered + configuration.updateEvery
        while due < min(lost, end + .nanoseconds(1)) || next < heard.count {
            if next < heard.count, heard[next].time < due {
                let frame = heard[next]
                next += 1
                if visit[0].time + configuration.longestVisit <= frame.time {
                    tell(.cut, frame.time)
                    visit = [frame]
                    tell(.continued, frame.time)
                    toldOf = next
                } else {
                    visit.append(frame)
                }
            } else {
                if next > toldOf {
                    tell(.updated, due)
                    toldOf = next
                }
                due = due + configuration.updateEvery
            }
        }
        tell(lost <= end ? .lost : .finished, min(lost, end))
        return told
    }
}

private func + (instant: ScanInstant, duration: Duration) -> ScanInstant {
    instant.advanced(by: duration)
}
