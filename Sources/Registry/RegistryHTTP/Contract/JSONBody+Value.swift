import NIOCore
import RegistryAPI

extension JSONBody {
    /// The JSON that the server would send.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        (try? encode(value)).map { Array($0.readableBytesView) } ?? []
    }

    static func value(_ value: some Encodable) -> JSONValue? { JSONValue(text: bytes(value)) }
}
