public import Beacons

/// The region of the original FindMyBike app, inside which only the registry allocates identities.
public enum NetworkRegion {
    /// The UUID 21EECF71-D5C7-4A00-9B90-27C94B5146EA.
    public static let uuid = ProximityUUID(high: 0x21EE_CF71_D5C7_4A00, low: 0x9B90_27C9_4B51_46EA)
}
