/// The version of all programs and packages of this product (Semantic Versioning 2.0.0).
public enum ProductVersion {
    public static let current = "1.0.0"
}
