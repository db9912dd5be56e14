import Beacons
import Crypto
import Foundation
import Scanning

@testable import ESPHome

/// An input is an octet that selects the form of the frames, and then the pieces in which they arrive from a proxy, each
/// after an octet with its length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    guard let responder = try? responder.get() else { preconditionFailure("the fuzzer’s own handshake failed") }
    var rest = UnsafeBufferPointer(start: start + 1, count: count - 1)[...]
    var pieces: [[UInt8]] = []
    while let length = rest.popFirst() {
        pieces.append(Array(rest.prefix(Int(length))))
        rest = rest.dropFirst(Int(length))
    }
    switch start[0] & 3 {
    case 0: _ = converse(PlainFrames(), pieces)
    case 1: _ = converse(responder.initiator, pieces)
    case 2:
        // Each piece is a message with its type and length, which arrives encrypted.
        let error = converse(responder.initiator, responder.frames(of: pieces))
        precondition(![.handshake, .wrongKey, .forged].contains(error))
    default: pieces.forEach(readAndWrite)
    }
    return 0
}

private func converse(_ codec: any FrameCodec, _ pieces: [[UInt8]]) -> ProxyError? {
    var time = ScanInstant(nanoseconds: 0)
    var dialogue = ProxyDialogue(client: "fuzzer", codec: codec, at: time)
    var batch = AdvertisementBatch(time: time)
    defer {
        precondition(batch.advertisements.count <= ProxyDialogue.maximumRate * (pieces.count + 1))
        batch.forEach { _, data in precondition(data.byteCount <= 1650) }
        _ = dialogue.close()
    }
    do throws(ProxyError) {
        _ = try dialogue.open()
        for piece in pieces {
            _ = try dialogue.take(piece, at: time, into: &batch)
            time = time.advanced(by: .seconds(1))
            _ = try dialogue.tick(at: time)
        }
        return nil
    } catch {
        return error
    }
}

/// Fields that were read and written again must be the same.
private func readAndWrite(_ message: [UInt8]) {
    guard let read = fields(of: message) else { return }
    var writer = ProtobufWriter()
    for field in read {
        switch field.value {
        case .number(let value): writer.number(field.number, value)
        case .bytes(let value): writer.bytes(field.number, value)
        case .nothing: break
        }
    }
    precondition(writer.message.count <= message.count)
    precondition(fields(of: Array(writer.message)) == read.filter { $0.value != .nothing })
}

/// A field with its bytes, and without what is not written: zeros, and numbers of fixed width.
private struct Field: Equatable {
    enum Value: Equatable {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        case nothing
    }

    let number: UInt64
    let value: Value

    init(_ field: ProtobufField, of message: [UInt8]) {
        number = field.number
        value =
            switch field.value {
            case .number(0), .fixed: .nothing
            case .number(let value): .number(value)
            case .bytes(let range): .bytes(message[range])
            }
    }
}

private func fields(of message: [UInt8]) -> [Field]? {
    var reader = ProtobufReader(0..<message.count)
    var fields: [Field] = []
    do throws(ProtobufReader.Malformed) {
        while let field = try reader.next(in: message.span.bytes) { fields.append(Field(field, of: message)) }
        return fields
    } catch {
        return nil
    }
}

@_silgen_name("__lsan_disable")
private func disableLeakDetection()
@_silgen_name("__lsan_enable")
private func enableLeakDetection()

private let responder = {
    // A pointer in Data has a tag, so the leak detector does not see what this value refers to.
    disableLeakDetection()
    defer { enableLeakDetection() }
    return Result { try NoiseResponder() }
}()

/// A proxy that knows the key, after its handshake with an initiator that always uses the same keys.
private struct NoiseResponder {
    let initiator: NoiseFrames
    private let handshake: [[UInt8]]
    private let cipher: NoiseCipher

    init() throws {
        let bytes = Data(repeating: 7, count: 32)
        guard let key = ProxyKey(bytes.base64EncodedString()) else { throw NoiseFailure() }
        let theirs = try NoiseHandshake.PrivateKey(rawRepresentation: bytes)
        let mine = try NoiseHandshake.PrivateKey(rawRepresentation: Data(repeating: 8, count: 32))
        initiator = NoiseFrames(key, ephemeral: theirs)
        var state = NoiseState(
            protocolName: "Noise_NNpsk0_25519_ChaChaPoly_SHA256", prologue: Data("NoiseAPIInit".utf8) + [0, 0])
        state.mixKeyAndHash(key.key)
        state.mixHash(theirs.publicKey.rawRepresentation)
        state.mixKey(SymmetricKey(data: theirs.publicKey.rawRepresentation))
        _ = try state.encryptAndHash(Data())
        state.mixHash(mine.publicKey.rawRepresentation)
        state.mixKey(SymmetricKey(data: mine.publicKey.rawRepresentation))
        let secret = try mine.sharedSecretFromKeyAgreement(with: theirs.publicKey)
        state.mixKey(SymmetricKey(data: secret.withUnsafeBytes { Data($0) }))
        let tag = try state.encryptAndHash(Data())
        handshake = [Self.frame(Data([1])), Self.frame([0] + mine.publicKey.rawRepresentation + tag)]
        cipher = state.split().1
    }

    func frames(of messages: [[UInt8]]) -> [[UInt8]] {
        var cipher = cipher
        return handshake + messages.compactMap { message in (try? cipher.seal(Data(message))).map(Self.frame) }
    }

    private static func frame(_ content: Data) -> [UInt8] {
        [1, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
