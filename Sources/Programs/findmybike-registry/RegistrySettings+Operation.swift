import OperatingSystem
import RegistryAPI
import RegistryHTTP
import Settings
import Syntax

/// Settings of a registry on the Internet: TLS or proxies, limits, timeouts and quotas.
extension RegistrySettings {
    static let certificate = Setting.path(
        "tls.certificate", "The certificate chain (PEM) for TLS without a proxy; read again when it changes."
    )
    static let key = Setting.path("tls.key", "The private key (PEM, without a password) of tls.certificate.")

    static let trustedProxies = DefaultedSetting(
        Setting(
            "proxy.trusted",
            form: "addresses and ranges such as 127.0.0.1, 10.0.0.0/8, 2001:db8::/32, separated by commas",
            "The proxies in front of the registry; only these may state the client’s address.",
            parse: { addressRanges($0) }
        ),
        default: [], text: ""
    )
    static let forwardingField = Setting.choice(
        "proxy.field", default: ForwardingField.xForwardedFor,
        "The header field in which these proxies state the client’s address."
    )

    static let limits: [(kind: RateLimits.Kind, setting: DefaultedSetting<RequestLimit>)] = [
        (.address, limit("address", 600, per: .seconds(60), "Requests without a valid token from one address.")),
        (.token, limit("token", 3000, per: .seconds(60), "Requests with one token.")),
        (.wrongTokens, limit("wrongTokens", 60, per: .seconds(60), "Wrong tokens from one address.")),
        (.owners, limit("owners", 20, per: .seconds(3600), "New owners from one address.")),
        (.codes, limit("codes", 30, per: .seconds(3600), "One-time and recovery codes that one address tries.")),
        (.signIns, limit("signIns", 120, per: .seconds(3600), "Attempts to sign in with a browser from one address.")),
        (
            .tiles,
            limit(
                "tiles", 1000, per: .seconds(3600),
                "Map tiles that one owner gets; the same limit applies to all links to this owner’s searches together.")
        ),
        (
            .sharedTiles,
            limit("sharedTiles", 120, per: .seconds(60), "Map tiles that one link to a search gets.")
        ),
        (.deskTiles, limit("deskTiles", 3000, per: .seconds(3600), "Map tiles that one operator gets.")),
        (.finds, limit("finds", 20, per: .seconds(3600), "Finds reported from one address.")),
        (.messages, limit("messages", 30, per: .seconds(3600), "Messages of finders from one address.")),
        (
            .followed,
            limit(
                "followed", 30, per: .seconds(3600),
                "Messages of people who feel followed, from one address; those about a beacon of this registry are counted separately for each beacon."
            )
        ),
        (.checks, limit("checks", 10, per: .seconds(3600), "Numbers of bikes that buyers check from one address.")),
        (
            .dailyChecks,
            limit(
                "dailyChecks", 30, per: .days(1),
                "Numbers of bikes that buyers check from one address in a day; a hundred times as many from an IPv4 /16 or an IPv6 /32."
            )
        ),
        (.allChecks, limit("allChecks", 600, per: .seconds(60), "Numbers of bikes that all buyers together check.")),
        (
            .partnerChecks,
            limit(
                "partnerChecks", 300, per: .seconds(3600),
                "Numbers of bikes that the buyers of one partner registry check here.")
        ),
        (
            .answers,
            limit("answers", 60, per: .seconds(3600), "Answers that staff give at the displays of one station.")
        ),
    ]

    static let headerTimeout = seconds("header", 15, "How long a client may take for its first request’s header.")
    static let bodyTimeout = seconds(
        "body", 60,
        "How long a client may take for a request’s body, and a second more for each 16 KiB; half of it must bring 32 KiB."
    )
    static let idleTimeout = seconds("idle", 75, "How long a connection stays open between requests.")
    static let writeTimeout = seconds("write", 30, "How long a client may take for 32 KiB of an answer, or the rest.")
    static let drainTimeout = seconds("drain", 30, "How long requests and alerts in progress may take after SIGTERM.")

    static let maximumConnections = Setting.integer(
        "connections.maximum", in: 1...1_000_000, default: 20_000,
        "Connections, and also requests over HTTP/2, at a time; others wait. A connection takes an open file."
    )
    static let connectionsPerClient = Setting.integer(
        "connections.perClient", in: 1...1_000_000, default: 1000,
        "Connections, and also requests over HTTP/2, from one address at a time; others are closed or refused. Those of trusted proxies are not counted."
    )
    static let metricsListen = Setting(
        "metrics.listen",
        form: "address:port, an IPv6 address in brackets",
        "Where to serve /metrics for Prometheus, within the operator’s network; if not set, nowhere.",
        parse: { ListenAddress($0) }
    )

    static let securityContact = Setting(
        "security.contact",
        form: "mailto:, https: or tel: addresses, separated by commas",
        "Where to report a vulnerability, served as /.well-known/security.txt (RFC 9116) if set.",
        parse: { contacts($0) }
    )
    static let securityPolicy = Setting.httpURL(
        "security.policy", "A page that says what reporters of a vulnerability can expect.")

    static let quotas: [(quota: Quota, setting: DefaultedSetting<Int>)] = [
        (.bikes, quota(.bikes, "Bikes that an owner may have; twice as many beacons may be registered in 24 hours.")),
        (
            .channels,
            quota(.channels, "Channels that an owner may have; twice as many addresses may be set in 24 hours.")
        ),
        (.tokens, quota(.tokens, "Tokens that an owner may have.")),
        (
            .openReports,
            quota(
                .openReports,
                "Missing reports that an owner may have open; four times as many may be opened in 24 hours.")
        ),
        (.photos, quota(.photos, "Photos that an owner may have, at most six of a bike; each takes about 0.4 MB.")),
    ]

    /// The quotas of an owner for whom no operator has set others.
    static func quotas(_ settings: ProgramSettings) -> Quotas {
        var quotas = Quotas()
        for (quota, setting) in Self.quotas { quotas[quota] = settings.value(setting) }
        return quotas
    }

    /// All settings of this file.
    static let operation: [any SettingDefinition] =
        [certificate, key, trustedProxies, forwardingField] + limits.map(\.setting) + quotas.map(\.setting)
        + [
            headerTimeout, bodyTimeout, idleTimeout, writeTimeout, drainTimeout, maximumConnections,
            connectionsPerClient, metricsListen, securityContact, securityPolicy,
        ]

    /// Parses address ranges; nil if one of them is invalid.
    private static func addressRanges(_ text: String) -> [AddressRange]? {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        let ranges = parts.compactMap { AddressRange($0) }
        return ranges.count == parts.count ? ranges : nil
    }

    /// Parses contacts; nil if one of them is invalid, or there are none.
    static func contacts(_ text: String) -> [String]? {
        let contacts = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        let areAddresses = contacts.allSatisfy { contact in
            contact.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                && ["mailto:", "https:", "tel:"].contains { contact.begins(with: $0) && contact.count > $0.count }
        }
        return contacts.isEmpty || !areAddresses ? nil : contacts
    }

    /// The setting `limits.NAME`: by default so many requests in a period.
    private static func limit(
        _ name: String, _ count: Int, per period: Duration, _ summary: String
    ) -> DefaultedSetting<RequestLimit> {
        let setting = Setting(
            "limits.\(name)", form: "requests and a time, as in 60/minute (second, minute, hour, day), or off", summary,
            parse: { RequestLimit($0) }
        )
        return DefaultedSetting(setting, default: .rate(RequestRate(count, per: period)))
    }

    /// The setting `quotas.NAME`.
    private static func quota(_ quota: Quota, _ summary: String) -> DefaultedSetting<Int> {
        Setting.integer("quotas.\(quota.rawValue)", in: Quotas.range, default: Quotas()[quota], summary)
    }

    /// The setting `timeouts.NAME`, 1 second to an hour.
    private static func seconds(_ name: String, _ value: Int, _ summary: String) -> DefaultedSetting<Int> {
        Setting.integer("timeouts.\(name)", in: 1...3600, unit: "seconds", default: value, summary)
    }
}
