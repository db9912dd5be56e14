import CommandSupport
import RegistryAPI
import Synchronization
import Syntax
import Terminal

/// Sightings as they arrive, one per line; on a terminal an update to the last one overwrites it.
final class TrailDisplay: Sendable {
    private struct State {
        var shown: Set<VisitID> = []
        /// The sighting on the line above the cursor, if it can be overwritten.
        var last: VisitID?
    }

    private let state = Mutex(State())
    private let map: MapLink?
    /// The number of the terminal's columns; nil for a file.
    private let width: Int?

    /// The maximum number of sightings remembered, about those of a year.
    private static let remembered = 10_000

    /// - Parameter map: the map that lines link to; nil for none.
    init(map: MapLink?, width: Int?) {
        self.map = map
        self.width = width
    }

    /// Prints a new sighting, or an update to one.
    func show(_ sighting: Sighting) {
        state.withLock { state in
            if state.shown.count >= Self.remembered { state.shown.removeAll() }
            let isUpdate = !state.shown.insert(sighting.id).inserted
            let isOverwritten = isUpdate && state.last == sighting.id
            let line = line(sighting, isUpdate: isUpdate && !isOverwritten)
            if isOverwritten { Console.output.eraseLineAbove() }
            Output.line(line)
            state.last = width.map { line.columns <= $0 } == true ? sighting.id : nil
        }
    }

    /// Prints a message on standard error, after which no earlier line is overwritten.
    func remark(_ text: String) {
        state.withLock { state in
            Output.remark(text)
            state.last = nil
        }
    }

    private func line(_ sighting: Sighting, isUpdate: Bool) -> String {
        let end = sighting.ended ? "until \(LocalTime.timeOfDay(sighting.lastSeen))" : "still there"
        let parts = [
            isUpdate ? "update:" : nil, sighting.sameStay == true ? "same stay:" : nil,
            "\(sighting.firstSeen.local), \(end)", sighting.station.name,
            sighting.receiver.map { "receiver \($0.name)" + ($0.place.map { " at \($0.text)" } ?? "") },
            sighting.place.text, sighting.certainty, map?.url(of: sighting.place),
        ]
        return parts.compactMap(\.self).joined(separator: "  ")
    }
}

/// The address of a place on a map. Nothing is requested from the map until a person opens it.
struct MapLink {
    private let template: String

    /// - Parameter template: a text with `{latitude}` and `{longitude}`; the result is nil without these, as for
    ///   `none`.
    init?(_ template: String?) {
        guard let template, template.has("{latitude}"), template.has("{longitude}") else { return nil }
        self.template = template
    }

    func url(of place: Place) -> String {
        template.replacing(text: "{latitude}", with: Place.degrees(place.latitude))
            .replacing(text: "{longitude}", with: Place.degrees(place.longitude))
    }
}
