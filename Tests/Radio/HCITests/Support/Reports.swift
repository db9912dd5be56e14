import Beacons
import Scanning

@testable import HCI

/// Advertising report events, without the H4 packet type.
enum Report {
    static let identity = BeaconIdentity(
        uuid: ProximityUUID(high: 0x21EE_CF71_D5C7_4A00, low: 0x9B90_27C9_4B51_46EA), major: 1, minor: 100
    )

    /// LE Advertising Report of an iBeacon, ADV_NONCONN_IND.
    static func legacy(_ identity: BeaconIdentity = identity, address: UInt8 = 1, rssi: Int8 = -60) -> [UInt8] {
        let data = IBeacon(identity: identity, measuredPower: -59).advertisingData
        return [0x3E, UInt8(12 + data.count), 0x02, 1, 3, 1, address, 0, 0, 0, 0, 0xC0, UInt8(data.count)] + data
            + [UInt8(bitPattern: rssi)]
    }

    /// LE Extended Advertising Report with the data status in the type.
    static func extended(type: UInt16 = 0x0010, rssi: Int8 = -60, data: [UInt8]) -> [UInt8] {
        [0x3E, UInt8(26 + data.count), 0x0D, 1, UInt8(type & 0xFF), UInt8(type >> 8), 1, 1, 0, 0, 0, 0, 0xC0]
            + [1, 0, 0xFF, 127, UInt8(bitPattern: rssi), 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(data.count)] + data
    }
}

extension AdvertisementBatch {
    /// The identities of the iBeacons heard, in order.
    var identities: [BeaconIdentity] {
        var identities: [BeaconIdentity] = []
        forEach { _, data in
            if let beacon = IBeacon(advertisingData: data) { identities.append(beacon.identity) }
        }
        return identities
    }
}

extension LiveBatches.Iterator {
    /// The next batch with reports.
    mutating func nextHeard() async throws -> AdvertisementBatch? {
        while let batch = try await next() {
            if !batch.advertisements.isEmpty { return batch }
        }
        return nil
    }
}
