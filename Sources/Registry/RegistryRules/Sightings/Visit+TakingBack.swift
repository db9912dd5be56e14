public import RegistryAPI

extension Visit {
    /// Whether an update may take back what the visit has said of other sightings, also of those that have many newer ones
    /// between it and themselves.
    ///
    /// - Parameter before: the visit before the update. A place within ``Plausibility/radioRange`` of the earlier one counts
    ///   as the same.
    public func takesBack(_ before: Visit) -> Bool {
        guard before.isTimeUncertain == isTimeUncertain, before.confirmation?.answer == confirmation?.answer else {
            return true
        }
        guard let former = before.place, let place else { return before.place != place }
        return former.distance(to: place) > Plausibility.radioRange
    }
}
