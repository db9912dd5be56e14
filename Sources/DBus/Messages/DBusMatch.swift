/// Which signals are wanted (D-Bus Specification, “Match Rules”). What is nil matches anything.
public struct DBusMatch: Hashable, Sendable {
    /// A well-known or unique name. A forged signal of somebody else never matches: the owner is compared.
    public var sender: String?
    public var path: String?
    /// This path and all below it. `/` is not one: leave it out.
    public var pathNamespace: String?
    public var interface: String?
    public var member: String?
    /// The first argument, where it is a string.
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

    /// The changes of a name's owner, told by the bus.
    public static func owner(of name: String) -> DBusMatch {
        DBusMatch(
            sender: DBusCall.busName, interface: DBusCall.busName, member: "NameOwnerChanged", argument0: name
        )
    }

    /// The rule as `AddMatch` takes it.
    func rule() throws(DBusError) -> String {
        if let sender { try DBusNames.check(busName: sender) }
        if let path { try DBusNames.check(path: path) }
        if let pathNamespace { try DBusNames.check(path: pathNamespace) }
        if let interface { try DBusNames.check(interface: interface) }
        if let member { try DBusNames.check(member: member) }
        if let argument0 { try DBusNames.check(text: argument0) }
        let parts = [
            ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface),
            ("member", member), ("arg0", argument0),
        ]
        return parts.reduce(into: "type='signal'") { rule, part in
            if let value = part.1 { rule += ",\(part.0)='\(Self.quoted(value))'" }
        }
    }

    /// Inside quotes only the quote itself is special: it ends them, and stands escaped outside.
    private static func quoted(_ value: String) -> String {
        value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
