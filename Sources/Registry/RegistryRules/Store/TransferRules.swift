import RegistryAPI

/// The rules for transferring bikes.
public enum TransferRules {
    /// The time for which a bike stays with its owner after it has been missing.
    public static let waitAfterMissing = Duration.days(7)
}
