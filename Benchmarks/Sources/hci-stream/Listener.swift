import Beacons
import Glibc
import HCI
import Scanning

/// Reads batches until all reports have arrived or none has for two seconds, and measures the CPU time.
struct Listener {
    let descriptor: CInt
    let expected: Int

    struct Heard {
        var reports = 0
        var beacons: Set<UInt16> = []
        var batches = 0
        var dropped = 0
        /// The time from the first report to the last.
        var seconds = 0.0
        var processorSeconds = 0.0
        var residentKilobytes = 0

        /// The CPU time in percent of one core.
        var share: Double { seconds > 0 ? processorSeconds / seconds * 100 : 0 }
    }

    func run() async throws -> Heard {
        var heard = Heard()
        let scanner = HCIScanner(.h4(adapter: "benchmark", descriptor: descriptor))
        var first: (time: ScanInstant, processor: Double)?
        var last = ScanInstant(nanoseconds: 0)
        for try await batch in scanner.batches() {
            if batch.advertisements.isEmpty {
                if first != nil, last.duration(to: batch.time) > .seconds(2) { break }
                continue
            }
            if first == nil { first = (batch.time, Self.processorSeconds()) }
            last = batch.time
            heard.batches += 1
            batch.forEach { _, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                heard.reports += 1
                heard.beacons.insert(beacon.identity.minor)
            }
            if heard.reports >= expected { break }
        }
        if let first {
            heard.seconds = first.time.duration(to: last).seconds
            heard.processorSeconds = Self.processorSeconds() - first.processor
        }
        heard.dropped = scanner.radioHealth.dropped
        heard.residentKilobytes = Self.usage().ru_maxrss
        await scanner.stop()
        return heard
    }

    private static func usage() -> rusage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage
    }

    /// User and system time of this process.
    private static func processorSeconds() -> Double {
        let usage = usage()
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}

extension Listener.Heard {
    func summary(sent: Int, seconds: Int, limit: Double) -> String {
        func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        return """
            reports sent      \(sent) in \(seconds) s
            reports heard     \(reports) in \(text(self.seconds)) s, of \(beacons.count) beacons, in \(batches) batches
            reports dropped   \(dropped)
            share of a core   \(text(share)) %   (limit \(text(limit)) %)
            a report          \(text(reports > 0 ? processorSeconds / Double(reports) * 1e6 : 0)) µs
            resident at most  \(residentKilobytes / 1024) MB
            """
    }
}
