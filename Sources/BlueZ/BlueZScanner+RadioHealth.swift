public import Scanning

extension BlueZScanner {
    /// What every scanner can tell of its radio; ``health`` says more.
    public var radioHealth: RadioHealth {
        let health = health
        var radio = RadioHealth(adapter: adapter)
        radio.isPresent = health.isPresent
        radio.isSwitchedOff = health.isSwitchedOff
        radio.state = health.isDiscovering ? .scanning : health.lastError == nil ? .starting : .failed
        radio.reports = Int(clamping: health.framesHeard)
        radio.lastReport = health.lastFrame
        radio.dropped = Int(clamping: health.dropped)
        radio.recoveries = health.recoveries
        radio.lastError = health.lastError
        return radio
    }
}
