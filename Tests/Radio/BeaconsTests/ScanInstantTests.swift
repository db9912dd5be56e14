import Beacons
import Testing

/// A hostile time stamp in a capture must not stop the monitor.
@Suite struct ScanInstantTests {
    static let ends = [
        ScanInstant(nanoseconds: .min), ScanInstant(nanoseconds: 0), ScanInstant(nanoseconds: .max),
    ]

    @Test("advancing saturates at both ends")
    func saturation() {
        for instant in Self.ends {
            #expect(instant.advanced(by: .seconds(Int64.max)).nanoseconds == .max)
            #expect(instant.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
        }
        #expect(Self.ends[2].advanced(by: .nanoseconds(1)).nanoseconds == .max)
        #expect(Self.ends[0].advanced(by: .nanoseconds(-1)).nanoseconds == .min)
        #expect(Self.ends[1].advanced(by: .milliseconds(-1500)).nanoseconds == -1_500_000_000)
    }

    @Test("differences are exact, even between the extremes")
    func difference() {
        let half = Duration.nanoseconds(Int64.max)
        #expect(Self.ends[1].duration(to: Self.ends[2]) == half)
        #expect(Self.ends[0].duration(to: Self.ends[2]) == half + half + .nanoseconds(1))
        #expect(Self.ends[0].duration(to: Self.ends[2]).wholeNanoseconds == .max)
        #expect(Self.ends[2].duration(to: Self.ends[0]).wholeNanoseconds == .min)
        #expect(Duration.milliseconds(-1500).wholeNanoseconds == -1_500_000_000)
        #expect(Duration.seconds(3).seconds == 3)
    }

    @Test("a batch's time never goes back, whatever its reports say")
    func batchTime() {
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 10))
        let data: [UInt8] = [1, 2, 3]
        for time in [5, 20, 15] as [Int64] {
            batch.append(
                time: ScanInstant(nanoseconds: time),
                address: BluetoothAddress(1),
                addressKind: .random,
                rssi: nil,
                event: .legacy,
                data: data.span.bytes
            )
        }
        #expect(batch.time == ScanInstant(nanoseconds: 20))
        #expect(batch.bytes == data + data + data)
        #expect(batch.advertisements.map(\.data) == [0..<3, 3..<6, 6..<9])
    }
}
