extension HTTPError {
    /// The failure and its remedy for people, without libcurl's words if there are better ones.
    public var plainWords: String {
        guard case .transfer(let code, let message, _) = self else { return description }
        // Codes of libcurl-errors(3).
        return switch code {
        case 6: "its name cannot be resolved. Check the address and the network"
        case 7: "nothing answers at this address. Check the address and the network, or try again later"
        case 28: "it does not answer in time. Check the network, or try again later"
        case 35 where message.contains("wrong version number") || message.contains("packet length"):
            "the address says https, but the server speaks http. Use http:// on this machine, or ask its operator"
        default: isBrokenOff ? "the connection broke off. Try again" : "\(message). Check the address and the network"
        }
    }
}
