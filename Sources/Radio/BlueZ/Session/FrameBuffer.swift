import Beacons
import DBus
import Synchronization

/// Collects frames on the bus's queue until the reader takes them.
final class FrameBuffer: Sendable {
    private struct State {
        var batch: AdvertisementBatch
        /// The properties of one signal; kept only for their memory.
        var properties = DeviceProperties()
        var publicAddresses = PublicAddresses()
        var heard: UInt64 = 0
        var dropped: UInt64 = 0
        var last: ScanInstant?
    }

    private let state: Mutex<State>
    /// The maximum number of frames in the batch that collects.
    private let limit: Int
    private let now: @Sendable () -> ScanInstant

    init(limit: Int, now: @escaping @Sendable () -> ScanInstant) {
        self.limit = limit
        self.now = now
        state = Mutex(State(batch: AdvertisementBatch(time: now())))
    }

    /// Appends a device's properties from a signal whose path, or first argument, is the device's.
    func append(_ address: BluetoothAddress, _ reader: DBusMessageReader) {
        let time = now()
        state.withLock { state in
            state.properties.read(reader)
            if state.properties.isPublic { state.publicAddresses.insert(address) }
            state.batch.malformed += state.properties.malformed
            guard state.properties.isFrame else { return }
            state.heard += 1
            state.last = time
            guard state.batch.advertisements.count < limit else {
                state.dropped += 1
                return
            }
            let data = state.properties.data
            state.batch.append(
                time: time,
                address: address,
                addressKind: state.publicAddresses.kind(of: address),
                rssi: state.properties.signalStrength,
                event: [],
                data: data.span.bytes
            )
        }
    }

    /// Remembers the address type of a device that bluetoothd already knew.
    func rememberAddressType(_ address: BluetoothAddress, _ reader: DBusMessageReader) {
        state.withLock { state in
            state.properties.read(reader)
            if state.properties.isPublic { state.publicAddresses.insert(address) }
        }
    }

    /// Returns the collected frames as a batch with the current time.
    func take() -> AdvertisementBatch {
        let time = now()
        return state.withLock { state in
            var batch = AdvertisementBatch(time: time)
            swap(&batch, &state.batch)
            batch.time = max(batch.time, time)
            return batch
        }
    }

    /// Adds the counters of received reports to a snapshot.
    func addCounters(to health: inout AdapterHealth) {
        state.withLock { state in
            health.framesHeard = state.heard
            health.dropped = state.dropped
            health.lastFrame = state.last
        }
    }
}
