/// Whether the registry can be reached and trusted, and whether it accepts the token.
enum RegistryCheck {
    static func judge(_ state: RegistryState) -> Check {
        let subject = CheckSubject.registry
        switch state {
        case .notConfigured:
            return subject.failure(
                "no registry is configured", remedy: "set registry.url in the settings file, or give --registry URL")
        case .invalidSettings(let reason):
            return subject.failure(reason, remedy: "correct the settings, or name another file with --config")
        case .misconfigured(let reason):
            return subject.failure(
                reason, remedy: "correct registry.url and registry.certificateAuthority in the settings")
        case .unreachable(let reason):
            return subject.failure(
                "the registry cannot be reached: \(reason)",
                remedy: "check registry.url, the network and its name service")
        case .certificate(let reason):
            return subject.failure(
                "the registry’s certificate is not trusted: \(reason)",
                remedy:
                    "check registry.url and this machine’s clock; name a private authority in registry.certificateAuthority"
            )
        case .unusable(let reason):
            return subject.failure(reason, remedy: "check registry.url; if it is right, ask the registry’s operator")
        case .tokenMissing, .tokenRefused, .accepted:
            return subject.ok("the registry answers and is trusted")
        }
    }
}

/// Whether the registry accepts the token.
enum TokenCheck {
    static func judge(_ state: RegistryState, of holder: TokenHolder) -> Check {
        let subject = CheckSubject.token
        switch state {
        case .accepted:
            return subject.ok("the registry accepts the \(holder == .station ? "station" : "owner")’s token")
        case .tokenMissing(let reason):
            return subject.failure(reason, remedy: remedy(holder))
        case .tokenRefused:
            return holder == .station
                ? subject.failure(
                    "the registry refuses the token: the operator has revoked this station, or the token is mistyped",
                    remedy: "ask the operator for a new code, then sudo findmybike-monitor enrol URL CODE --replace")
                : subject.failure(
                    "the registry refuses the token: it was revoked or mistyped, or is for another purpose",
                    remedy: remedy(holder))
        case .invalidSettings:
            return subject.notApplicable(CheckSubject.withoutSettings)
        default:
            return subject.notApplicable("the registry did not answer")
        }
    }

    private static func remedy(_ holder: TokenHolder) -> String {
        switch holder {
        case .station: "‘findmybike-monitor enrol’ writes it; the monitor’s user must be able to read it"
        case .owner: "‘findmybike login URL’ stores or makes one; --token-file names another"
        }
    }
}
