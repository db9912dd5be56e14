public import RegistryAPI

extension AuditEntry.Event {
    /// What an entry's commitment is made over: this event as JSON in the canonical form of RFC 8785, fields without a
    /// value left out.
    ///
    /// All values are strings, so that any tool that sorts keys and leaves out white space writes the same bytes. Written
    /// by hand because it stands in the way of every sighting: `JSONEncoder` takes ten times as long.
    public var canonical: [UInt8] {
        var json = CanonicalObject()
        json.add("action", action)
        json.add("bike", bike)
        json.add("details", details)
        json.add("owner", owner)
        json.add("principal", principal)
        json.add("report", report)
        json.add("station", station)
        json.add("time", time.description)
        return json.finished
    }

    /// The part of ``canonical`` that holds the details: a JSON object of strings.
    public var canonicalDetails: [UInt8] {
        var json = CanonicalObject()
        json.add(details)
        return json.finished
    }
}

/// A JSON object whose members are added in the order of their names.
private struct CanonicalObject {
    private var bytes = Array("{".utf8)

    init() { bytes.reserveCapacity(512) }

    var finished: [UInt8] {
        mutating get {
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    }

    private mutating func name(_ name: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    mutating func add<Resource>(_ name: String, _ id: ResourceID<Resource>?) {
        guard let id else { return }
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        id.appendText(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ name: String, _ values: [String: String]) {
        self.name(name)
        bytes.append(UInt8(ascii: "{"))
        add(values)
        bytes.append(UInt8(ascii: "}"))
    }

    /// RFC 8785, section 3.2.3: sorted by UTF-16 code units.
    mutating func add(_ members: [String: String]) {
        for (key, value) in members.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }) {
            add(key, value)
        }
    }

    /// RFC 8785, section 3.2.2.2: only quotes, backslashes and control characters are escaped.
    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        guard text.utf8.contains(where: Self.needsEscape) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += Array("\\b".utf8)
            case 0x09: bytes += Array("\\t".utf8)
            case 0x0A: bytes += Array("\\n".utf8)
            case 0x0C: bytes += Array("\\f".utf8)
            case 0x0D: bytes += Array("\\r".utf8)
            case 0..<0x20: bytes += Array(("\\u00" + Hexadecimal.text([byte])).utf8)
            default: bytes.append(byte)
            }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
