import Foundation

/// The encrypted form: a byte of value 1, a length of two bytes, and that many bytes; after the handshake these are an
/// encrypted type, length and message.
struct NoiseFrames: FrameCodec {
    static let mark: UInt8 = 1
    private static let headerLength = 3
    /// The protocol number of the only handshake that there is.
    private static let chosenProtocol: UInt8 = 1
    /// “NoiseAPIInit”, and the length of the empty greeting.
    private static let prologue = Data("NoiseAPIInit".utf8) + Data([0, 0])

    private enum Stage {
        /// The device says which protocol it chose.
        case greeting(NoiseHandshake)
        case handshake(NoiseHandshake)
        case ready(sending: NoiseCipher, receiving: NoiseCipher)
    }

    private var stage: Stage

    init(_ key: ProxyKey) {
        stage = .greeting(NoiseHandshake(key, prologue: Self.prologue))
    }

    init(_ key: ProxyKey, ephemeral: NoiseHandshake.PrivateKey) {
        stage = .greeting(NoiseHandshake(key, prologue: Self.prologue, ephemeral: ephemeral))
    }

    var isReady: Bool {
        if case .ready = stage { true } else { false }
    }

    mutating func open() throws(ProxyError) -> Data {
        guard case .greeting(var handshake) = stage else { throw .handshake }
        do {
            let request = Data([0]) + (try handshake.request())
            stage = .greeting(handshake)
            return Self.frame(Data()) + Self.frame(request)
        } catch {
            throw .handshake
        }
    }

    mutating func next(_ input: inout ProxyInput) throws(ProxyError) -> ProxyFrame? {
        while let content = try content(&input) {
            switch stage {
            case .greeting(let handshake): try greet(content, handshake)
            case .handshake(var handshake): try finish(content, &handshake)
            case .ready(let sending, var receiving):
                let frame = try Self.open(content, &receiving)
                stage = .ready(sending: sending, receiving: receiving)
                return frame
            }
        }
        return nil
    }

    mutating func encode(_ frame: ProxyFrame) throws(ProxyError) -> Data {
        guard case .ready(var sending, let receiving) = stage else { throw .handshake }
        let length = UInt16(clamping: frame.payload.count)
        var plain = Data()
        for number in [frame.type, length] { plain.append(contentsOf: [UInt8(number >> 8), UInt8(number & 0xFF)]) }
        do {
            let sealed = try sending.seal(plain + frame.payload)
            stage = .ready(sending: sending, receiving: receiving)
            return Self.frame(sealed)
        } catch {
            throw .handshake
        }
    }

    /// The content of the next frame; nil if it is not complete yet.
    private func content(_ input: inout ProxyInput) throws(ProxyError) -> Data? {
        guard let mark = input[0] else { return nil }
        guard mark == Self.mark else { throw mark == PlainFrames.mark && !isReady ? .keyUnknown : .notESPHome }
        guard let high = input[1], let low = input[2] else { return nil }
        let length = Int(high) << 8 | Int(low)
        guard input.count >= Self.headerLength + length else { return nil }
        return input.take(header: Self.headerLength, content: length)
    }

    /// Reads which protocol the device chose.
    private mutating func greet(_ content: Data, _ handshake: NoiseHandshake) throws(ProxyError) {
        // The name and the address that follow are not authenticated, so they are not used.
        guard content.first == Self.chosenProtocol else { throw .handshake }
        stage = .handshake(handshake)
    }

    /// Reads the device's part of the handshake.
    private mutating func finish(_ content: Data, _ handshake: inout NoiseHandshake) throws(ProxyError) {
        guard let indicator = content.first else { throw .handshake }
        guard indicator == 0 else {
            // A refusal, with its reason in words.
            throw content.dropFirst().elementsEqual("Handshake MAC failure".utf8) ? .wrongKey : .handshake
        }
        do {
            let ciphers = try handshake.finish(Data(content.dropFirst()))
            stage = .ready(sending: ciphers.sending, receiving: ciphers.receiving)
        } catch {
            throw .wrongKey
        }
    }

    /// Decrypts a message: its type, its length (two bytes each) and its encoding.
    private static func open(_ content: Data, _ cipher: inout NoiseCipher) throws(ProxyError) -> ProxyFrame {
        let plain: Data
        do { plain = try cipher.open(content) } catch { throw .forged }
        // The frame's end is authenticated, so the length in the header is not used.
        guard plain.count >= 4 else { throw .malformed }
        let header = Array(plain.prefix(2))
        return ProxyFrame(type: UInt16(header[0]) << 8 | UInt16(header[1]), payload: Data(plain.dropFirst(4)))
    }

    /// A frame with its header. No content here is longer than 65,535 bytes.
    private static func frame(_ content: Data) -> Data {
        let length = UInt16(clamping: content.count)
        return Data([mark, UInt8(length >> 8), UInt8(length & 0xFF)]) + content
    }
}
