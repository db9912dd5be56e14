import Syntax

/// A filter for signals (D-Bus Specification, “Match Rules”). A nil property matches anything.
public struct DBusMatch: Hashable, Sendable {
    /// A well-known or unique name. A forged signal from another connection never matches, because the owner is
    /// compared.
    public var sender: String?
    public var path: String?
    /// A path that matches itself and all paths below it. `/` is not allowed: use nil.
    public var pathNamespace: String?
    public var interface: String?
    public var member: String?
    /// The first argument, if it is a string.
    public var argument0: String?

    public init(
        sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil,
        member: String? = nil, argument0: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.argument0 = argument0
    }

    /// The changes of a name's owner, signalled by the bus.
    public static func owner(of name: String) -> DBusMatch {
        DBusMatch(
            sender: DBusCall.busName, interface: DBusCall.busName, member: "NameOwnerChanged", argument0: name
        )
    }

    /// The rule in the format of `AddMatch`.
    func rule() throws(DBusError) -> String {
        if let sender { try DBusNames.check(busName: sender) }
        if let path { try DBusNames.check(path: path) }
        if let pathNamespace { try DBusNames.check(path: pathNamespace) }
        if let interface { try DBusNames.check(interface: interface) }
        if let member { try DBusNames.check(member: member) }
        if let argument0 { try DBusNames.check(text: argument0) }
        let parts: [(key: String, value: String?)] = [
            ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface),
            ("member", member), ("arg0", argument0),
        ]
        var rule = "type='signal'"
        for case (let key, let value?) in parts { rule += ",\(key)='\(Self.quoted(value))'" }
        return rule
    }

    /// The value in quotes. Inside quotes only the quote itself is special: it ends them, and is escaped outside.
    private static func quoted(_ value: String) -> String {
        value.replacing(scalars: ["'": "'\\''"])
    }
}
