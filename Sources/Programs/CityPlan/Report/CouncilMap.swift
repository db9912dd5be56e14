import Syntax

/// The map of the council’s page: streets, parts of the city, stations.
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

    init(_ report: PlanReport, _ streets: StreetNetwork) {
        self.report = report
        self.streets = streets
        let (south, north) = streets.bounds
        let margin = max(50, 0.02 * max(north.x - south.x, north.y - south.y))
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
        """
        <svg viewBox="0 0 1000 \(height)" role="img" aria-label="Map of the city with \(report.places.count) numbered \
        places for stations">
        \(areas)
        <path d="\(lines)" fill="none" stroke="#aab3bd" stroke-width="0.8"/>
        \(stations)
        <g transform="translate(20 \(height - 14))"><path d="M0 0h\(Int(bar * scale))" stroke="#1c2430" stroke-width="3"/>
        <text y="-8" font-size="18" fill="#1c2430">\(bar < 1000 ? "\(Int(bar)) m" : "\(Int(bar / 1000)) km")</text></g>
        </svg>
        """
    }

    /// The length of the scale bar in metres, about a fifth of the width.
    private var bar: Double {
        let wanted = 200 / scale
        return [100.0, 200, 500, 1000, 2000, 5000, 10_000, 20_000].last { $0 <= wanted } ?? 100
    }

    private var lines: String {
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
        var text = ""
        for index in drawn {
            var before: (x: Int, y: Int)?
            for point in streets.points(of: pieces[index]) {
                let next = place(point)
                if let last = before {
                    guard next != last else { continue }
                    text += "l\(next.x - last.x) \(next.y - last.y)"
                } else {
                    text += "M\(next.x) \(next.y)"
                }
                before = next
            }
        }
        return text
    }

    private var areas: String {
        let most = report.areas.map(\.stolen).max() ?? 0
        guard most > 0 else { return "" }
        // Circles that together would cover the city.
        let width = (north.x - south.x) * scale
        let largest = 1.1 * (width * Double(height) / Double(max(1, report.areas.count)) / Double.pi).squareRoot()
        return report.areas.filter { $0.stolen > 0 }.map { area in
            let (x, y) = place(area.latitude, area.longitude)
            let radius = max(2, Int(largest * (area.stolen / most).squareRoot()))
            let shade = Int((15 + 60 * min(1, area.heard)).rounded())
            return "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" fill=\"#1d5fa8\" fill-opacity=\"0.\(shade)\"/>"
        }.joined(separator: "\n")
    }

    private var stations: String {
        let present = report.existing.map { station in
            let (x, y) = place(station.latitude, station.longitude)
            return "<rect x=\"\(x - 6)\" y=\"\(y - 6)\" width=\"12\" height=\"12\" fill=\"#fff\" stroke=\"#1c2430\" "
                + "stroke-width=\"2.5\"><title>\(station.name.escapedForMarkup)</title></rect>"
        }
        // The first places last, so that they lie on top.
        let planned = report.places.reversed().map { place in
            let (x, y) = self.place(place.latitude, place.longitude)
            let radius = place.number <= 25 ? 13 : 8
            let number =
                place.number <= 25
                ? "<text x=\"\(x)\" y=\"\(y + 5)\" font-size=\"15\" font-weight=\"700\" text-anchor=\"middle\" "
                    + "fill=\"#fff\">\(place.number)</text>"
                : ""
            return "<g><title>\(place.number). \(place.name.escapedForMarkup)</title><circle cx=\"\(x)\" cy=\"\(y)\" "
                + "r=\"\(radius)\" fill=\"#c2410c\" stroke=\"#fff\" stroke-width=\"1.5\"/>\(number)</g>"
        }
        return (present + planned).joined(separator: "\n")
    }
}
