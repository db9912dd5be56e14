public import RegistryAPI

extension OneTimeCode {
    public var digest: SecretDigest { SecretDigest(of: plain) }
}
