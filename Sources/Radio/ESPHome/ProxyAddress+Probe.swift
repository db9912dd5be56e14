extension ProxyAddress {
    /// Connects and closes the connection, which takes the proxy away from no program: it serves one subscriber, but
    /// accepts several connections.
    ///
    /// - Returns: the reason why it cannot be reached; nil if it can.
    public func probe() async -> ProxyError? {
        do throws(ProxyError) {
            await (try ProxySocket.connect(to: self)).close()
            return nil
        } catch {
            return error
        }
    }
}
