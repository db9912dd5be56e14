import Beacons
import Scanning

/// A busy venue: ten missing bikes that are parked there from 8 to 20 o'clock, another one that passes every ten minutes
/// for five, and strangers; two adverts a second in all.
struct VenueScanner: Scanner {
    static let parked = 10
    static let passing = 144
    static let missing = (0..<(parked + passing)).map { identity($0) }

    static func visits(in days: Int) -> Int { days * (parked + passing) }

    let days: Int
    let unreported: UnreportedVisits
    let meter: Meter

    func batches() -> Batches { Batches(scanner: self) }

    static func identity(_ number: Int) -> BeaconIdentity {
        BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 1, minor: UInt16(number + 100))
    }

    struct Batches: AsyncSequence {
        let scanner: VenueScanner

        func makeAsyncIterator() -> Iterator { Iterator(scanner: scanner) }
    }

    struct Iterator: AsyncIteratorProtocol {
        let scanner: VenueScanner
        var second = 0

        /// The next second, once everything caused by the previous one is reported, as in a venue.
        mutating func next() async -> AdvertisementBatch? {
            await scanner.unreported.waitUntilNone()
            guard second < scanner.days * 86_400 else {
                scanner.meter.note(day: scanner.days)
                return nil
            }
            if second % 86_400 == 0 { scanner.meter.note(day: second / 86_400) }
            defer { second += 1 }
            return batch()
        }

        private func batch() -> AdvertisementBatch {
            let now = ScanInstant(nanoseconds: Int64(second) * 1_000_000_000)
            var batch = AdvertisementBatch(time: now)
            for turn in 0..<2 {
                let beacon = IBeacon(identity: heard(second * 2 + turn), measuredPower: -59)
                let data = beacon.advertisingData
                batch.append(
                    time: now, address: BluetoothAddress(UInt64(turn)), addressKind: .random,
                    rssi: Int8(-60 - second % 20), event: [.legacy], data: data.span.bytes)
            }
            scanner.meter.count(2)
            return batch
        }

        /// In turn: the parked bikes, each every six seconds, the passing one, and a stranger.
        private func heard(_ turn: Int) -> BeaconIdentity {
            let ofDay = second % 86_400
            switch turn % 12 {
            case let number where number < VenueScanner.parked && (28_800..<72_000).contains(ofDay):
                return VenueScanner.identity(number)
            case 10 where ofDay % 600 < 300:
                return VenueScanner.identity(VenueScanner.parked + ofDay / 600)
            default:
                return BeaconIdentity(uuid: ProximityUUID(high: 9, low: 9), major: 9, minor: UInt16(turn % 50))
            }
        }
    }
}
