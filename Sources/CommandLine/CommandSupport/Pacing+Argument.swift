public import ArgumentParser
public import Scanning

extension Pacing: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
