import ArgumentParser
import CityPlan
import Terminal

/// The options that say what a plan is made from.
struct PlanInputs: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The streets: an extract of OpenStreetMap (.osm, .osm.pbf, .osm.bz2), or GeoJSON.", valueName: "file"))
    var streets: String?

    @Option(help: "A made-up city in place of --streets: grid, rings or river.")
    var synthetic: SyntheticCity.Plan?

    @Option(help: ArgumentHelp("How long and wide the made-up city is in kilometres, 1 to 40.", valueName: "km"))
    var size = 14.0

    @Option(
        help: ArgumentHelp("The city’s name, for the page’s title; by default the name of the file.", valueName: "name")
    )
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where stations could be: CSV with latitude, longitude and name, or GeoJSON. By default the petrol stations, "
                + "cafés, garages and bike shops in the file of the streets.", valueName: "file"))
    var candidates: String?

    @Option(
        help: ArgumentHelp(
            "The stations that you have: what ‘findmybike station list --json’ prints, or CSV.", valueName: "file"))
    var stations: String?

    @Option(
        help: ArgumentHelp(
            "Where bikes are stolen: CSV with latitude, longitude and count, or GeoJSON. By default thefts are spread by "
                + "the length of the streets.", valueName: "file"))
    var thefts: String?

    @Option(
        help: ArgumentHelp("How many buses or delivery bikes carry a station, 0 to 1000.", valueName: "count"))
    var vehicles = 0

    @Option(
        help: ArgumentHelp(
            "A folder with your models of thieves and city.yaml, such as a copy of /usr/share/findmybike/plan.",
            valueName: "folder"))
    var models: String?

    @Option(
        name: .customLong("model"),
        help: ArgumentHelp("Use only this model of thieves. Repeat the option for several.", valueName: "name"))
    var onlyModels: [String] = []

    @Option(
        help: ArgumentHelp(
            "What became of searches with your --stations: what ‘findmybike operator searches --json’ prints, or CSV with "
                + "heardAfterHours, empty if never heard, and closedAfterHours.", valueName: "file"))
    var experience: String?

    func validate() throws {
        guard (streets == nil) != (synthetic == nil) else {
            throw ValidationError("Give either --streets and a file, or --synthetic grid, rings or river.")
        }
        guard (1...40).contains(size) else { throw ValidationError("--size must be 1 to 40 km.") }
        guard (0...1000).contains(vehicles) else { throw ValidationError("--vehicles must be 0 to 1000.") }
        if let name {
            // Spaces, and marks that only combine with another character, are no name.
            let isShown = name.unicodeScalars.contains { !$0.properties.isWhitespace && String($0).columns > 0 }
            guard name.unicodeScalars.count <= 80, isShown else {
                throw ValidationError("--name must have 1 to 80 characters, and not only spaces or accents.")
            }
        }
        guard experience == nil || stations != nil || vehicles > 0 else {
            throw ValidationError("--experience needs --stations: the stations that these searches relied on.")
        }
    }

    /// The paths of all files that are read.
    var files: [String] {
        [streets, candidates, stations, thefts, experience].compactMap(\.self) + (models.map(Self.modelFiles) ?? [])
    }

    /// What the files contain, or what is made up in their place.
    struct Contents {
        /// The city's name, for people.
        let name: String
        var isMadeUp = false
        let streets: StreetNetwork
        var candidates: [Site]
        var existing: [Site] = []
        /// Empty if thefts are spread by the streets.
        var thefts: [TheftPlace] = []
        let models: PlanModels
        let vehicles: Int
        var experience: Experience?
    }
}
