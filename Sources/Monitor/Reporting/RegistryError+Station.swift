import RegistryAPI
import RegistryClient

extension RegistryError {
    /// What people at a station read: a refused token is the station’s, and the operator’s doing.
    var stationWords: String {
        guard case .refused(let problem, _) = self, problem.status == 401 else { return description }
        return
            "the registry refuses this station’s token: its operator has revoked the station. Ask for a new code, then "
            + "‘findmybike-monitor enrol URL CODE --replace’"
    }
}
