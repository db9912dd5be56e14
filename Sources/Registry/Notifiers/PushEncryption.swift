import Crypto
import Foundation
import RegistryAPI
import Syntax

/// Encrypts a message for one browser (RFC 8291) as a single record of `aes128gcm` (RFC 8188).
struct PushEncryption {
    /// The length of a record in bytes. With the header's 86, it is the size that every push
    /// service accepts (RFC 8030, section 7.2).
    static let recordSize = 4096 - 86
    /// The maximum length of a message in bytes: a record without the tag and the delimiter.
    static let limit = recordSize - 17

    /// The browser's public key.
    private let receiver: P256.KeyAgreement.PublicKey
    /// The browser's authentication secret.
    private let secret: Data

    /// - Returns: nil unless the keys are a point on P-256 and a secret of 16 bytes.
    init?(_ keys: PushKeys) {
        guard let point = Data(base64URL: keys.p256dh), let secret = Data(base64URL: keys.auth), secret.count == 16,
            let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        else { return nil }
        self.receiver = receiver
        self.secret = secret
    }

    /// The body of a request: the header and one record.
    ///
    /// - Parameters:
    ///   - sender: a key pair used only for this message.
    ///   - salt: 16 bytes used only for this message.
    func encrypt(
        _ message: [UInt8], sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    ) throws -> [UInt8] {
        let publicKey = sender.publicKey.x963Representation
        // RFC 8291, section 3.4.
        let info: Data = Data("WebPush: info\0".utf8) + receiver.x963Representation + publicKey
        let material = try sender.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: info, outputByteCount: 32
        )
        // RFC 8188, sections 2.2 and 2.3; the sequence number of the only record is zero.
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Data("Content-Encoding: aes128gcm\0".utf8),
            outputByteCount: 16
        )
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12
        )
        // The delimiter 2 marks the last record.
        let box = try AES.GCM.seal(
            Data(message) + [2], using: key, nonce: try AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) })
        )
        let size = withUnsafeBytes(of: UInt32(Self.headerRecordSize).bigEndian) { Data($0) }
        var record = Array(salt + size)
        record.append(UInt8(publicKey.count))
        record += publicKey + box.ciphertext + box.tag
        return record
    }

    /// The record size in the header: as in the RFC's example, since the record itself may be shorter.
    private static let headerRecordSize = 4096
}

extension Data {
    /// Decodes a browser's URL-safe Base64 (RFC 4648, section 5), with or without padding; nil if the text is invalid.
    init?(base64URL text: String) {
        let base64 = text.replacing(scalars: ["-": "+", "_": "/", "=": ""])
        self.init(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
    }
}
