/// The rules for transferring bikes.
public enum TransferRules {
    /// The time for which a bike stays with its owner after it has been missing.
    public static let waitAfterMissing = Duration.seconds(7 * 86_400)
}
