import CDBus

/// A registered match rule, and the receiver of its signals.
struct Subscription {
    /// Its number in the connection, by which it is removed.
    let token: UInt64
    let match: DBusMatch
    /// The match as text, as the bus has it.
    let rule: String
    /// The match as it is compared with each message.
    let compiled: CompiledMatch
    /// Called on the queue with each signal.
    let onSignal: (DBusMessage) -> Void
    /// Called on the queue if the bus connection is lost, once.
    let onEnd: (DBusError) -> Void

    /// Whether the rule's sender is a well-known name, whose unique name must be looked up.
    var followsOwner: Bool { match.sender.map { TrackedName($0).isWellKnown } ?? false }
}

extension Link {
    /// Registers a subscription here. The caller registers its rule with the bus afterwards, so that no signal is lost
    /// between the two registrations.
    func subscribe(
        _ match: DBusMatch,
        onSignal: @escaping (DBusMessage) -> Void,
        onEnd: @escaping (DBusError) -> Void
    ) throws(DBusError) -> Subscription {
        _ = try usableConnection()
        let subscription = Subscription(
            token: token(),
            match: match,
            rule: try match.rule(),
            compiled: CompiledMatch(match, sender: match.sender.map(track)),
            onSignal: onSignal,
            onEnd: onEnd
        )
        subscriptions.append(subscription)
        return subscription
    }

    /// Removes a subscription, here and from the bus. A lost bus connection has already removed it.
    func unsubscribe(_ token: UInt64) {
        guard let index = subscriptions.firstIndex(where: { $0.token == token }) else { return }
        let subscription = subscriptions.remove(at: index)
        try? post(.bus("RemoveMatch", .string(subscription.rule)))
        if let name = subscription.match.sender { untrack(name) }
    }

    /// Passes a signal to the subscriptions whose rules it matches. Always true: signals need no other handler.
    func deliver(_ raw: OpaquePointer) -> Bool {
        let head = SignalHead(raw)
        updateOwner(raw, head)
        var message: DBusMessage?
        for subscription in subscriptions where subscription.compiled.matches(raw, head) {
            let borrowed = message ?? DBusMessage(borrowing: raw)
            message = borrowed
            subscription.onSignal(borrowed)
        }
        return true
    }
}

// Signals contain the sender's unique name; a rule contains the well-known one.
extension Link {
    /// The tracked name, shared by all rules that use it.
    private func track(_ name: String) -> TrackedName {
        let tracked = trackedNames[name] ?? (TrackedName(name), 0)
        trackedNames[name] = (tracked.name, tracked.uses + 1)
        return tracked.name
    }

    /// Drops one rule's use of a name. The bus counts the equal rules that follow its owner, one for each use.
    private func untrack(_ name: String) {
        guard let tracked = trackedNames[name] else { return }
        trackedNames[name] = tracked.uses > 1 ? (tracked.name, tracked.uses - 1) : nil
        guard tracked.name.isWellKnown, let rule = try? DBusMatch.owner(of: name).rule() else { return }
        try? post(.bus("RemoveMatch", .string(rule)))
    }

    /// Sets the unique name of a well-known name's owner; nil if it has none.
    func setOwner(of name: String, _ owner: String?) {
        guard let tracked = trackedNames[name]?.name, tracked.isWellKnown else { return }
        tracked.owner = owner.map(CText.init)
    }

    /// Takes the new owner of a tracked name from the bus's signal; ignores all other signals.
    private func updateOwner(_ raw: OpaquePointer, _ head: SignalHead) {
        guard Self.ownerChanged.equals(head.member), Self.bus.equals(head.interface), Self.bus.equals(head.sender)
        else { return }
        var reader = DBusMessage(borrowing: raw).arguments
        guard let name = reader.text, reader.next(), reader.next(), let owner = reader.text else { return }
        setOwner(of: name, owner.isEmpty ? nil : owner)
    }

    private static let ownerChanged = CText("NameOwnerChanged")
    private static let bus = CText(DBusCall.busName)
}
