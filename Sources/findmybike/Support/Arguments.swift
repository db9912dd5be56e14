public import ArgumentParser
public import Beacons
public import RegistryAPI

// How the domain's values are written on the command line.

extension BikeKind: ExpressibleByArgument {}
extension BikeColour: ExpressibleByArgument {}
extension ReportOutcome: ExpressibleByArgument {}
extension ResourceID: ExpressibleByArgument {}

extension BeaconIdentity: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
