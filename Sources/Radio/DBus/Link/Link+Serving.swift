import CDBus

extension Link {
    /// The results of a call. If it names no interface, the first interface with such a method is used.
    func results(of message: DBusMessage) throws -> [DBusValue] {
        let (path, interface, member) = (message.path, message.interface, message.member)
        let export = exports[path]
        switch (interface, member) {
        case (Standard.introspectable, "Introspect"), ("", "Introspect"):
            return [.string(introspection(of: export, at: path))]
        case (Standard.properties, _):
            return try properties(member, of: export, message.decodedArguments())
        case (ObjectManager.name, "GetManagedObjects") where export?.managesObjects == true:
            return [managedObjects(below: path)]
        default:
            return try call(message, interface, member, of: export)
        }
    }

    /// Calls a method of an exported interface.
    private func call(
        _ message: DBusMessage, _ interface: String, _ member: String, of export: Export?
    ) throws -> [DBusValue] {
        let candidates = export?.interfaces.filter { interface.isEmpty || $0.name == interface } ?? []
        guard let method = candidates.lazy.flatMap(\.methods).first(where: { $0.name == member }) else {
            throw DBusError.remote(
                name: DBusErrorName.unknownMethod, message: "\(message.path) has no method \(interface).\(member)"
            )
        }
        guard message.signature == method.takes else {
            throw DBusError.remote(
                name: DBusErrorName.invalidArguments,
                message: "\(member) takes ‘\(method.takes)’, not ‘\(message.signature)’"
            )
        }
        let call = DBusMethodCall(
            sender: message.sender, path: message.path, arguments: try message.decodedArguments()
        )
        return try method.body(call)
    }

    /// The results of a method of `org.freedesktop.DBus.Properties`; properties can only be read.
    private func properties(
        _ member: String, of export: Export?, _ arguments: [DBusValue]
    ) throws(DBusError) -> [DBusValue] {
        let name = arguments.first?.text ?? ""
        guard let interface = export?.interfaces.first(where: { $0.name == name }) else {
            throw .remote(name: DBusErrorName.unknownInterface, message: "there is no interface ‘\(name)’ here")
        }
        if member == "GetAll" { return [.properties(interface.properties())] }
        let property = arguments.dropFirst().first?.text ?? ""
        guard let value = interface.properties()[property] else {
            throw .remote(name: DBusErrorName.unknownProperty, message: "\(name) has no property ‘\(property)’")
        }
        switch member {
        case "Get": return [.variant(value)]
        case "Set": throw .remote(name: DBusErrorName.propertyReadOnly, message: "\(property) cannot be set")
        default: throw .remote(name: DBusErrorName.unknownMethod, message: "there is no method \(member)")
        }
    }

    /// `a{oa{sa{sv}}}`: all objects below a path with their interfaces and properties.
    private func managedObjects(below parent: String) -> DBusValue {
        let children = exports.filter { isBelow(parent, $0.key) }.sorted { $0.key < $1.key }
        return .dictionary(
            key: "o", value: "a{sa{sv}}",
            children.map { DBusValue.Entry(.objectPath($0.key), $0.value.interfacesAndProperties) }
        )
    }
}

// The introspection format (D-Bus Specification, “Introspection Data Format”). Names have been checked, so they need no
// escaping.
extension Link {
    private func introspection(of export: Export?, at path: String) -> String {
        let prefix = path == "/" ? "/" : path + "/"
        // The next element of each path below this one.
        let children = Set(
            exports.keys.filter { isBelow(path, $0) }.map { descendant in
                descendant.dropFirst(prefix.count).prefix { $0 != "/" }
            })
        var parts = ["<node>"]
        parts += export?.interfaces.flatMap(lines) ?? []
        parts += export?.managesObjects == true ? Self.objectManagerLines : []
        parts += Self.standardLines
        parts += children.sorted().map { "  <node name=\"\($0)\"/>" }
        parts.append("</node>")
        return parts.joined(separator: "\n") + "\n"
    }

    private func lines(_ interface: DBusInterface) -> [String] {
        let methods = interface.methods.flatMap { method in
            ["    <method name=\"\(method.name)\">"]
                + arguments(method.takes, "in") + arguments(method.returns, "out")
                + ["    </method>"]
        }
        let properties = interface.properties().sorted { $0.key < $1.key }.map {
            "    <property name=\"\($0.key)\" type=\"\($0.value.signature)\" access=\"read\"/>"
        }
        return ["  <interface name=\"\(interface.name)\">"] + methods + properties + ["  </interface>"]
    }

    private func arguments(_ signature: String, _ direction: String) -> [String] {
        DBusSignature.completeTypes(of: signature).map {
            "      <arg type=\"\($0)\" direction=\"\(direction)\"/>"
        }
    }

    private static let objectManagerLines = [
        "  <interface name=\"\(ObjectManager.name)\">",
        "    <method name=\"GetManagedObjects\"><arg type=\"a{oa{sa{sv}}}\" direction=\"out\"/></method>",
        "  </interface>",
    ]

    private static let standardLines = [
        "  <interface name=\"\(Standard.introspectable)\">",
        "    <method name=\"Introspect\"><arg type=\"s\" direction=\"out\"/></method>",
        "  </interface>",
        "  <interface name=\"\(Standard.properties)\">",
        "    <method name=\"Get\">",
        "      <arg type=\"s\" direction=\"in\"/><arg type=\"s\" direction=\"in\"/><arg type=\"v\" direction=\"out\"/>",
        "    </method>",
        "    <method name=\"GetAll\">",
        "      <arg type=\"s\" direction=\"in\"/><arg type=\"a{sv}\" direction=\"out\"/>",
        "    </method>",
        "  </interface>",
    ]
}

/// Interfaces that every object has (D-Bus Specification, “Standard Interfaces”).
private enum Standard {
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let properties = "org.freedesktop.DBus.Properties"
}

/// The interface of an object that lists those below it (same section).
enum ObjectManager {
    static let name = "org.freedesktop.DBus.ObjectManager"
}

/// Signatures as text.
enum DBusSignature {
    /// The complete types in a signature: `sa{sv}as` has three.
    static func completeTypes(of signature: String) -> [String] {
        var types: [String] = []
        var current = ""
        var depth = 0
        for letter in signature {
            current.append(letter)
            if "({".contains(letter) { depth += 1 }
            if ")}".contains(letter) { depth -= 1 }
            guard depth == 0, letter != "a" else { continue }
            types.append(current)
            current = ""
        }
        return types
    }
}
