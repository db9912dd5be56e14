import Beacons

/// An event in reply to a command (Core Specification 5.4, volume 4, part E, sections 7.7.14 and 7.7.15).
enum HCIEvent {
    static let commandComplete: UInt8 = 0x0E
    static let commandStatus: UInt8 = 0x0F
    static let leMeta: UInt8 = 0x3E

    /// A controller's reply to a command.
    struct Answer: Equatable {
        let opcode: UInt16
        let status: HCIStatus
        /// The return parameters after the status.
        let returned: [UInt8]
        /// Whether no further reply follows: a Command Status of success announces another event.
        let isFinal: Bool

        /// Parses a Command Complete or Command Status event; nil for any other event and for a truncated one.
        init?(_ event: RawSpan) {
            guard event.byteCount >= 2, event.byteCount >= 2 + Int(event[byte: 1]) else { return nil }
            let parameters = event.extracting(2..<2 + Int(event[byte: 1]))
            switch event[byte: 0] {
            case HCIEvent.commandComplete where parameters.byteCount >= 4:
                opcode = parameters.littleEndian(1, as: UInt16.self)
                status = HCIStatus(rawValue: parameters[byte: 3])
                returned = parameters.extracting(droppingFirst: 4).withUnsafeBytes { Array($0) }
                isFinal = true
            case HCIEvent.commandStatus where parameters.byteCount >= 4:
                opcode = parameters.littleEndian(2, as: UInt16.self)
                status = HCIStatus(rawValue: parameters[byte: 0])
                returned = []
                isFinal = status != .success
            default: return nil
            }
        }
    }
}
