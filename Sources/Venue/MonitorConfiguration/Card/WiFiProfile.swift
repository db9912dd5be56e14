import Syntax

/// NetworkManager's connection to a venue's Wi-Fi, in its keyfile format (nm-settings-keyfile(5)).
struct WiFiProfile: Hashable {
    let wifi: CardSettings.WiFi

    /// The name of the network as bytes, so that no character in it needs escaping.
    private var networkBytes: String { wifi.name.utf8.map { "\($0);" }.joined() }

    /// Whether a profile joins the same network; the password may be only in the profile.
    func isOfSameNetwork(as profile: String) -> Bool {
        profile.split(at: "\n").contains("ssid=\(networkBytes)")
    }

    /// The content of the file.
    var text: String {
        var lines = [
            "[connection]", "id=findmybike", "type=wifi", "autoconnect-retries=0", "",
            "[wifi]", "mode=infrastructure", "ssid=\(networkBytes)",
            // Saving power delays responses, and some access points drop stations that sleep.
            "powersave=2", "",
        ]
        if let password = wifi.password {
            // WPA2 and WPA3 with a password.
            lines += ["[wifi-security]", "key-mgmt=wpa-psk", "psk=\(Self.escaped(password))", ""]
        }
        lines += ["[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""]
        return lines.joined(separator: "\n")
    }

    /// A text in a keyfile: backslashes are doubled, and a space at the beginning is escaped.
    private static func escaped(_ text: String) -> String {
        let doubled = text.replacing(scalars: ["\\": #"\\"#])
        return doubled.dropping(prefix: " ").map { #"\s"# + $0 } ?? doubled
    }
}
