public import Simulation

/// The models of thieves and of the city: what a plan assumes.
public struct PlanModels: Hashable, Sendable {
    /// The kinds of thieves, 1 to ``maximumCount``.
    public var thieves: [ThiefModel]
    public let city: CityModel

    /// The maximum number of kinds of thieves.
    public static let maximumCount = 16
    /// The maximum size of a model’s file: 64 KiB.
    public static let maximumFileSize = 1 << 16

    public init(thieves: [ThiefModel], city: CityModel) {
        self.thieves = thieves
        self.city = city
    }

    /// The models that come with the program: the files of `config/plan`.
    public static func shipped() throws(ScenarioError) -> PlanModels {
        try PlanModels(
            files: [
                ("city.yaml", PackageResources.city_yaml), ("organised.yaml", PackageResources.organised_yaml),
                ("patient.yaml", PackageResources.patient_yaml),
                ("reseller.yaml", PackageResources.reseller_yaml),
                ("rider.yaml", PackageResources.rider_yaml),
            ])
    }

    /// Reads models from the contents of files, of which one is called `city.yaml`.
    ///
    /// - Throws: ``ScenarioError`` with the file and the line.
    public init(files: [(name: String, bytes: [UInt8])]) throws(ScenarioError) {
        var thieves: [ThiefModel] = []
        var city: CityModel?
        for file in files {
            guard let text = String(validating: file.bytes, as: UTF8.self) else {
                throw ScenarioError(source: file.name, problem: "not UTF-8: save the file in that encoding")
            }
            if file.name.utf8.elementsEqual("city.yaml".utf8) {
                city = try CityModel(yaml: text, source: file.name)
            } else {
                thieves.append(try ThiefModel(yaml: text, source: file.name))
            }
        }
        guard let city, (1...Self.maximumCount).contains(thieves.count) else {
            throw ScenarioError(
                source: "city.yaml", problem: "a folder of models has this file and 1 to \(Self.maximumCount) others")
        }
        guard Set(thieves.map(\.name)).count == thieves.count else {
            throw ScenarioError(source: "city.yaml", problem: "two models have the same name")
        }
        self.init(thieves: thieves, city: city)
    }
}
