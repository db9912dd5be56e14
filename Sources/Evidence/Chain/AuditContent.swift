public import RegistryAPI

extension AuditEntry.Event {
    /// What an entry's commitment is made over: this event as JSON in the canonical form of RFC 8785, fields without a
    /// value left out.
    ///
    /// All values are strings, so that any tool that sorts keys and leaves out white space writes the same bytes.
    public var canonical: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("action", action)
            json.member("bike", bike)
            json.member("details") { $0.object(details) }
            json.member("owner", owner)
            json.member("principal", principal)
            json.member("report", report)
            json.member("station", station)
            json.member("time", time.description)
        }
        return json.bytes
    }

    /// The part of ``canonical`` that holds the details: a JSON object of strings.
    public var canonicalDetails: [UInt8] {
        var json = JSONWriter()
        json.object(details)
        return json.bytes
    }
}

extension JSONWriter {
    /// RFC 8785, section 3.2.3: sorted by UTF-16 code units.
    fileprivate mutating func object(_ members: [String: String]) {
        object { json in
            for (name, value) in members.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }) {
                json.member(named: name, value)
            }
        }
    }
}
