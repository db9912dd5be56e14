import Syntax

/// The map of the council’s page: streets, in colours that say what is heard of the bikes stolen there, and stations.
struct CouncilMap {
    private let report: PlanReport
    private let streets: StreetNetwork
    /// The south-western and north-eastern corners of the picture.
    private let south: MapPoint
    private let north: MapPoint
    /// Units of the picture a metre; the picture is 1,000 units wide.
    private let scale: Double
    /// The height of the map in units, without the line for the scale bar.
    private let height: Int

    /// The maximum number of pieces of street: each needs about 14 bytes of the page.
    private static let maximumPieces = 60_000
    /// The maximum number of points of all pieces, since a piece may have many bends.
    private static let maximumPoints = 400_000

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

    /// Where a point is in the picture, which is in the middle of its 1,000 units if it is narrower.
    private func place(_ point: MapPoint) -> (x: Int, y: Int) {
        let shift = (1000 - (north.x - south.x) * scale) / 2
        return (Int((point.x - south.x) * scale + shift), Int((north.y - point.y) * scale))
    }

    private func place(_ latitude: Double, _ longitude: Double) -> (x: Int, y: Int) {
        place(streets.projection.point(Coordinates(within: latitude, longitude)))
    }

    /// The map as an element `svg`.
    var svg: String {
        let pieces = streetPaths
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

    /// The classes of the parts by what is heard.
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
    private var streetPaths: [String] {
        let pieces = streets.pieces
        let (shades, areas) = (shades, report.areas)
        let middles = areas.map { streets.projection.point(Coordinates(within: $0.latitude, $0.longitude)) }
        var paths = [String](repeating: "", count: shades.bounds.count + 2)
        let withoutThefts = paths.count - 1
        var pointsLeft = Self.maximumPoints
        for index in shownPieces where pointsLeft > 0 {
            let start = streets.crossings[Int(pieces[index].from)]
            let nearest = middles.indices.min { start.distance(to: middles[$0]) < start.distance(to: middles[$1]) }
            var path = withoutThefts
            if let nearest, areas[nearest].stolen > 0 { path = shades.index(of: areas[nearest].heard) }
            draw(pieces[index], into: &paths[path], &pointsLeft)
        }
        return paths
    }

    /// The pieces of street on the map, as indices. Of very many, these are the longest; and of about equally long ones
    /// first every so many, so that no part of the city is left out.
    private var shownPieces: [Int] {
        let pieces = streets.pieces
        let all = Array(pieces.indices)
        guard all.count > Self.maximumPieces else { return all }
        let stride = all.count / Self.maximumPieces + 1
        let sorted = all.sorted { one, two in
            // In steps of 20 m.
            let first = Int(pieces[one].length / 20)
            let second = Int(pieces[two].length / 20)
            return first == second ? (one % stride, one) < (two % stride, two) : first > second
        }
        return Array(sorted.prefix(Self.maximumPieces))
    }

    /// Appends a piece to a path, with no more points than are left.
    private func draw(_ piece: StreetNetwork.Piece, into path: inout String, _ pointsLeft: inout Int) {
        var before: (x: Int, y: Int)?
        for point in streets.points(of: piece) where pointsLeft > 0 {
            let next = place(point)
            if let last = before {
                guard next != last else { continue }
                path += "l\(next.x - last.x) \(next.y - last.y)"
            } else {
                path += "M\(next.x) \(next.y)"
            }
            before = next
            pointsLeft -= 1
        }
    }

    /// The signs of the existing stations, and of the planned ones: numbered up to 25.
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

    /// A sign at a place, with a title that browsers show beside the pointer.
    private func sign(
        _ kind: String, _ latitude: Double, _ longitude: Double, _ title: String, _ drawing: String
    ) -> String {
        let (x, y) = place(latitude, longitude)
        return "<g class=\"\(kind)\" transform=\"translate(\(x) \(y))\"><title>\(title.escapedForMarkup)</title>"
            + "<g class=\"mark\">\(drawing)</g></g>"
    }
}
