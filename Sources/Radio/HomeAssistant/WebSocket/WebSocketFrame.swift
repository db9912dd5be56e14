extension WebSocket {
    /// A frame (RFC 6455, section 5.2) within received bytes.
    struct Frame {
        enum Kind: UInt8 {
            case continuation, text, binary
            /// From here on, control frames.
            case close = 8
            case ping, pong

            var isControl: Bool { rawValue >= 8 }
        }

        let kind: Kind
        let isLast: Bool
        /// Whether it is longer than a message that is kept (``WebSocket/longest``).
        let isTooLong: Bool
        /// The position of the payload in the bytes; empty if it is too long.
        let payload: Range<Int>
        /// The length of the whole frame.
        let length: Int

        /// Reads the frame that begins at an index; nil if it is not complete. One that is too long need not be.
        init?(in bytes: [UInt8], at start: Int) throws(HomeAssistantError) {
            guard bytes.count - start >= 2 else { return nil }
            let (first, second) = (bytes[start], bytes[start + 1])
            // No extension defines the reserved bits, and a server does not mask.
            guard first & 0x70 == 0, second & 0x80 == 0, let kind = Kind(rawValue: first & 0x0F) else {
                throw .malformed
            }
            isLast = first & 0x80 != 0
            self.kind = kind
            // A length up to 125; 126 and 127 announce a longer one, in two or eight more bytes.
            let short = Int(second)
            guard !kind.isControl || isLast && short <= 125 else { throw .malformed }
            let extra =
                switch short {
                case 126: 2
                case 127: 8
                default: 0
                }
            let headerLength = 2 + extra
            guard bytes.count - start >= headerLength else { return nil }
            let long = bytes[start + 2..<start + headerLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard long <= longestSkipped else { throw .tooLarge }
            let payloadLength = extra > 0 ? Int(long) : short
            length = headerLength + payloadLength
            isTooLong = payloadLength > longest
            let payloadStart = start + headerLength
            payload = payloadStart..<(isTooLong ? payloadStart : start + length)
            guard isTooLong || bytes.count - start >= length else { return nil }
        }

        /// A whole message as the client sends it: in one frame, masked.
        ///
        /// - Parameter mask: random bits; the peer removes them. They keep a proxy that reads along from taking a
        ///   payload for a request (section 10.3).
        static func encoded(_ kind: Kind, _ payload: [UInt8], mask: UInt32) -> [UInt8] {
            var bytes = [0x80 | kind.rawValue]
            switch payload.count {
            case ...125: bytes.append(0x80 | UInt8(payload.count))
            case ...0xFFFF:
                bytes.append(0x80 | 126)
                bytes += [UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
            default:
                bytes.append(0x80 | 127)
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
            let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * $0)) }
            bytes += key
            bytes += payload.enumerated().map { $1 ^ key[$0 & 3] }
            return bytes
        }
    }
}
