import RegistryRules

/// The changes that wait to be committed, for the thread that commits them.
package struct WaitingChanges<EngineTransaction: Transaction>: Sendable {
    let queue: GatheringQueue<Change<EngineTransaction>>
    let rules: GroupRules<EngineTransaction>

    /// Commits groups until nothing waits, or the engine can no longer be used.
    ///
    /// - Parameter isUsable: called before changes are taken.
    /// - Returns: whether nothing waits; otherwise it must be called again, or ``refuse(with:)``.
    package func commit(
        on engine: some CommitEngine<EngineTransaction>, while isUsable: () -> Bool = { true }
    ) -> Bool {
        while isUsable() {
            guard var changes = queue.next() else { return true }
            var next = 0
            while next < changes.count {
                let group = ChangeGroup(engine: engine, rules: rules)
                let (answers, failure, news) = group.commit(&changes, from: &next) { queue.late() }
                rules.observe(failure, news)
                for answer in answers { answer(failure) }
                guard let failure, !isUsable() else { continue }
                // What broke the engine is also the reason for the changes that it can no longer try.
                for change in changes[next...] { change.refuse(with: failure) }
                break
            }
        }
        return false
    }

    /// Refuses everything that waits.
    package func refuse(with error: any Error) {
        while let changes = queue.next() {
            rules.observe(error, StoreNews())
            for change in changes { change.refuse(with: error) }
        }
    }
}
