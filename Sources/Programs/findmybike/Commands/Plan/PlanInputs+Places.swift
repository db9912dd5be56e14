import CityPlan
import CommandSupport

extension PlanInputs {
    /// Says how much of the files is used, and refuses places that are in no part of the city.
    func check(_ contents: Contents, in city: City) throws {
        if let candidates { try checkSites(contents.candidates, of: candidates, in: city) }
        if let stations { try checkSites(contents.existing, of: stations, in: city) }
        if let thefts {
            let places = contents.thefts.count
            guard city.theftPlaces > 0 else { throw refusal(thefts, places, city) }
            let others = ": the others are more than 2 km from all streets that are used, or have no theft"
            let remark = "used \(city.theftPlaces) of \(places) places in \(thefts)"
            Output.remark(city.theftPlaces < places ? remark + others : remark)
        }
    }

    /// Warns of places without a street near; fails if that is true of all.
    private func checkSites(_ sites: [Site], of path: String, in city: City) throws {
        let near = city.near(sites)
        guard near > 0 else { throw refusal(path, sites.count, city) }
        if near < sites.count {
            Output.warn(
                "\(sites.count - near) of \(sites.count) places in \(path) are more than 2 km from all streets that are used"
            )
        }
    }

    /// The failure that none of the places in a file is near a street.
    private func refusal(_ path: String, _ count: Int, _ city: City) -> CommandFailure {
        let middle = city.streets.projection.centre
        func short(_ degrees: Double) -> String { String((degrees * 100).rounded() / 100) }
        let none = count == 1 ? "its place is not" : "none of the \(count) places is"
        return CommandFailure(
            .dataError,
            "\(path): \(none) within 2 km of a street; are latitude and longitude swapped? The "
                + "streets are around latitude \(short(middle.latitude)), longitude \(short(middle.longitude))")
    }
}
