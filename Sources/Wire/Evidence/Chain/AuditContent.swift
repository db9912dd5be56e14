public import RegistryAPI

extension AuditEntry.Event {
    /// The content that an entry's commitment covers: this event as JSON in the canonical form of RFC 8785, without
    /// fields that have no value.
    ///
    /// All values are strings, so any tool that sorts keys and omits white space writes the same bytes.
    public var canonical: [UInt8] { canonicalParts.event }

    /// ``canonical``, and the details as a part of it: a JSON object of strings.
    public var canonicalParts: (event: [UInt8], details: [UInt8]) {
        var json = JSONWriter()
        var range = 0..<0
        json.object { json in
            json.member("action", action)
            json.member("bike", bike)
            json.member("details") { json in
                let start = json.bytes.count
                json.object(details)
                range = start..<json.bytes.count
            }
            json.member("owner", owner)
            json.member("principal", principal)
            json.member("report", report)
            json.member("station", station)
            json.member("time") { $0.time(time) }
        }
        return (json.bytes, Array(json.bytes[range]))
    }
}

extension JSONWriter {
    /// Writes an object with its keys sorted by UTF-16 code units (RFC 8785, section 3.2.3).
    fileprivate mutating func object(_ members: [String: String]) {
        object { json in
            for (name, value) in members.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }) {
                json.member(named: name, value)
            }
        }
    }
}
