import Glibc

/// A controller that accepts every command and, after the one to scan, sends reports.
struct Controller {
    enum Load {
        /// At a constant rate, in each second.
        case steady(rate: Int, seconds: Int)
        /// As many together as each line of the standard input says.
        case bursts
    }

    let descriptor: CInt
    let load: Load
    /// The number of beacons, which send in turn.
    let beacons: Int

    private static let enableScan: [UInt8] = [0x01, 0x0C, 0x20, 0x02, 0x01]

    func run() {
        var command = [UInt8](repeating: 0, count: 300)
        while recv(descriptor, &command, command.count, 0) > 0 {
            send(answer(to: command))
            guard command.starts(with: Self.enableScan) else { continue }
            switch load {
            case .steady(let rate, let seconds): advertise(rate: rate, seconds: seconds)
            case .bursts: advertiseOnDemand()
            }
        }
    }

    /// Command Complete with success, and eight octets of features for commands that return them.
    private func answer(to command: [UInt8]) -> [UInt8] {
        [0x04, 0x0E, 12, 1, command[1], command[2], 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// One write per report, as a kernel wakes the reader for each, in steps of a millisecond.
    private func advertise(rate: Int, seconds: Int) {
        var sent = 0
        let start = now()
        while sent < rate * seconds {
            let due = min(rate * seconds, Int(Double(rate) * (now() - start)))
            while sent < due {
                send(report(sent))
                sent += 1
            }
            usleep(1000)
        }
    }

    private func advertiseOnDemand() {
        var sent = 0
        while let count = readLine().flatMap({ Int($0) }) {
            for number in sent..<sent + count { send(report(number)) }
            sent += count
        }
    }

    /// LE Advertising Report of an iBeacon.
    private func report(_ number: Int) -> [UInt8] {
        let minor = UInt16(number % beacons)
        var event: [UInt8] = [0x04, 0x3E, 42, 0x02, 1, 3, 1, UInt8(minor & 0xFF), UInt8(minor >> 8), 0, 0, 0, 0xC0, 30]
        event += [2, 1, 6, 0x1A, 0xFF, 0x4C, 0, 2, 0x15]
        event += [0x21, 0xEE, 0xCF, 0x71, 0xD5, 0xC7, 0x4A, 0, 0x9B, 0x90, 0x27, 0xC9, 0x4B, 0x51, 0x46, 0xEA, 0, 1]
        return event + [UInt8(minor >> 8), UInt8(minor & 0xFF), 0xC5, UInt8(bitPattern: -60)]
    }

    private func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
