import Beacons
import Scanning

/// A scanner whose frames a test supplies, at times that the test chooses.
struct ScriptedScanner: Scanner {
    private let stream: AsyncStream<AdvertisementBatch>
    private let continuation: AsyncStream<AdvertisementBatch>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func batches() -> AsyncStream<AdvertisementBatch> { stream }

    /// Delivers one frame of a beacon at a time in seconds.
    func hear(_ beacon: IBeacon, at seconds: Int64, rssi: Int8 = -70, by radio: String? = nil) {
        let instant = ScanInstant(nanoseconds: seconds * 1_000_000_000)
        var batch = AdvertisementBatch(time: instant)
        batch.radio = radio
        let data = beacon.advertisingData
        batch.append(
            time: instant, address: BluetoothAddress(1), addressKind: .random, rssi: rssi, event: [.legacy],
            data: data.span.bytes
        )
        continuation.yield(batch)
    }

    /// Stays silent until a time in seconds.
    func pass(to seconds: Int64) {
        continuation.yield(AdvertisementBatch(time: ScanInstant(nanoseconds: seconds * 1_000_000_000)))
    }

    func end() {
        continuation.finish()
    }
}
