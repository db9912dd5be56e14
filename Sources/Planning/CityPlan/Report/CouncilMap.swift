import Syntax

/// The map of the council’s page: streets, in colours that say what is heard of the bikes stolen there, and stations.
struct CouncilMap {
    private let report: PlanReport
    private let streets: StreetNetwork
    private let south: MapPoint
    private let north: MapPoint
    /// Units of the picture a metre; the picture is 1,000 units wide.
    private let scale: Double
    private let height: Int

    /// Each piece of street needs about 14 bytes of the page.
    private static let maximumPieces = 60_000
    /// For streets with many bends.
    private static let maximumLines = 400_000

    init(_ report: PlanReport, _ streets: StreetNetwork) {
        self.report = report
        self.streets = streets
        let (south, north) = streets.bounds
        let margin = max(80, 0.02 * max(north.x - south.x, north.y - south.y))
        self.south = MapPoint(x: south.x - margin, y: south.y - margin)
        self.north = MapPoint(x: north.x + margin, y: north.y + margin)
        // A city that is much higher than wide becomes narrow, not long.
        let width = self.north.x - self.south.x
        scale = min(1000 / width, 1300 / (self.north.y - self.south.y))
        height = Int((self.north.y - self.south.y) * scale)
    }

    private func place(_ point: MapPoint) -> (x: Int, y: Int) {
        let shift = (1000 - (north.x - south.x) * scale) / 2
        return (Int((point.x - south.x) * scale + shift), Int((north.y - point.y) * scale))
    }

    private func place(_ latitude: Double, _ longitude: Double) -> (x: Int, y: Int) {
        place(streets.projection.point(Coordinates(within: latitude, longitude)))
    }

    var svg: String {
        let pieces = drawn
        return """
            <svg viewBox="0 0 1000 \(height + 54)" role="img" aria-label="Map of the city with \(report.places.count) numbered \
            places for stations">
            <defs>\(pieces.enumerated().map { "<path id=\"s\($0)\" d=\"\($1)\"/>" }.joined(separator: "\n"))</defs>
            <g class="wide" stroke-width="\(max(8, Int(130 * scale)))">\(colours.enumerated().map {
                "<use href=\"#s\($0)\" class=\"k\($1)\"/>"
            }.joined())</g>
            <g class="thin">\(pieces.indices.map { "<use href=\"#s\($0)\"/>" }.joined())</g>
            \(stations)
            <g class="bar" transform="translate(20 \(height + 46))"><path d="M0 0h\(Int(bar * scale))"/>
            <text y="-8">\(bar < 1000 ? "\(Int(bar)) m" : "\(Int(bar / 1000)) km")</text></g>
            </svg>
            """
    }

    /// What the colours and signs mean.
    var legend: String {
        let goal = report.basis.goal.words
        let places = report.places.isEmpty ? "" : "<li><i class=\"dot\"></i>proposed station; 1 is the best</li>"
        let present = report.existing.isEmpty ? "" : "<li><i class=\"box\"></i>existing station</li>"
        let classes = shades.legend.map { "<li><i class=\"k\($0.colour)\"></i>\($0.name)</li>" }.joined()
        return """
            <ul class="legend">\(places)\(present)</ul>
            <p>Colour of the streets: of the bikes stolen there, the share that is heard within \(goal), anywhere in the city.</p>
            <ul class="legend">\(classes)</ul>
            <p class="note">A station hears passing bikes up to about \(Int(report.reachMetres.rounded())) metres away. Streets
            without a colour have no thefts in the simulation.</p>
            """
    }

    private var shades: MapShades { MapShades(stolen) }

    /// The parts of the city in which bikes are stolen.
    private var stolen: [PlanReport.Area] { report.areas.filter { $0.stolen > 0 } }

    /// The colours of the classes.
    private var colours: [Int] { shades.legend.map(\.colour) }

    /// The length of the scale bar in metres, about a fifth of the width.
    private var bar: Double {
        let wanted = 200 / scale
        return [100.0, 200, 500, 1000, 2000, 5000, 10_000, 20_000].last { $0 <= wanted } ?? 100
    }

    /// The streets as paths: one for each class of the map, and one for the streets of parts without thefts.
    private var drawn: [String] {
        let pieces = streets.pieces
        var drawn = Array(pieces.indices)
        if drawn.count > Self.maximumPieces {
            // The longest; of equally long ones every so many, so that no part of the city is left out.
            let stride = drawn.count / Self.maximumPieces + 1
            drawn.sort { one, two in
                let (left, right) = (Int(pieces[one].length / 20), Int(pieces[two].length / 20))
                return left == right ? (one % stride, one) < (two % stride, two) : left > right
            }
            drawn = Array(drawn.prefix(Self.maximumPieces))
        }
        let (shades, areas) = (shades, report.areas)
        let middles = areas.map { streets.projection.point(Coordinates(within: $0.latitude, $0.longitude)) }
        var paths = [String](repeating: "", count: shades.bounds.count + 2)
        var room = Self.maximumLines
        for index in drawn where room > 0 {
            let start = streets.crossings[Int(pieces[index].from)]
            let nearest = middles.indices.min { start.distance(to: middles[$0]) < start.distance(to: middles[$1]) }
            let area = nearest.map { areas[$0] }.flatMap { $0.stolen > 0 ? $0 : nil }
            draw(pieces[index], into: &paths[area.map { shades.index(of: $0.heard) } ?? paths.count - 1], &room)
        }
        return paths
    }

    private func draw(_ piece: StreetNetwork.Piece, into path: inout String, _ room: inout Int) {
        var before: (x: Int, y: Int)?
        for point in streets.points(of: piece) where room > 0 {
            let next = place(point)
            if let last = before {
                guard next != last else { continue }
                path += "l\(next.x - last.x) \(next.y - last.y)"
            } else {
                path += "M\(next.x) \(next.y)"
            }
            before = next
            room -= 1
        }
    }

    private var stations: String {
        let present = report.existing.map { station in
            sign(
                "here", station.latitude, station.longitude, station.name,
                "<rect x=\"-7\" y=\"-7\" width=\"14\" height=\"14\"/>")
        }
        // The first places last, so that they lie on top.
        let planned = report.places.reversed().map { place in
            let isNumbered = place.number <= 25
            return sign(
                place.number <= 10 ? "pin" : "pin later", place.latitude, place.longitude,
                "\(place.number). \(place.name)",
                "<circle r=\"\(isNumbered ? 14 : 8)\"/>" + (isNumbered ? "<text y=\"5.5\">\(place.number)</text>" : ""))
        }
        return (present + planned).joined(separator: "\n")
    }

    private func sign(
        _ kind: String, _ latitude: Double, _ longitude: Double, _ title: String, _ drawing: String
    ) -> String {
        let (x, y) = place(latitude, longitude)
        return "<g class=\"\(kind)\" transform=\"translate(\(x) \(y))\"><title>\(title.escapedForMarkup)</title>"
            + "<g class=\"mark\">\(drawing)</g></g>"
    }
}
