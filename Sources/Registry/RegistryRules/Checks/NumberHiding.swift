import Crypto
import Evidence
public import RegistryAPI

/// A secret factor that hides numbers, so that two registries can compare them without showing them.
///
/// A number is a point of Curve25519, and a factor multiplies points (X25519, RFC 7748). The order of factors does not
/// matter: a number hidden by the keys of two registries is the same in either order. Each registry shows only points
/// that its own key hides. Finding a number or a key behind them means solving the Diffie–Hellman problem.
public struct NumberHiding: Sendable {
    private let key: [UInt8]

    /// - Parameter key: 32 secret bytes.
    public init(key: [UInt8]) { self.key = key }

    /// The 32 bytes of a point's coordinate.
    public typealias Point = [UInt8]

    /// Hides a number, and the number as somebody may have misread it; nil with a probability of practically zero.
    public func hide(_ number: BikeNumber) -> (exact: Point, folded: Point)? {
        guard let exact = hide(Self.point("number \(number.text)")),
            let folded = hide(Self.point("folded \(number.folded)"))
        else { return nil }
        return (exact, folded)
    }

    /// Hides a point; nil if it is none that a number could have.
    public func hide(_ point: Point) -> Point? {
        guard let secret = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key),
            let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: point),
            let product = try? secret.sharedSecretFromKeyAgreement(with: other)
        else { return nil }
        // Points of small order: their product says nothing about the number, whatever the key is (RFC 7748, section
        // 6.1).
        let hidden = product.withUnsafeBytes { Array($0) }
        return hidden.contains { $0 != 0 } ? hidden : nil
    }

    /// The point of a text. Each 32 bytes are the coordinate of a point, of the curve or of its twist, which is as
    /// good.
    private static func point(_ text: String) -> Point {
        Array(SHA256.hash(data: Array("findmybike hidden number 1\0\(text)".utf8)))
    }
}

extension NumberHiding {
    /// A point in 64 hexadecimal digits.
    public static func text(_ point: Point) -> String { Hexadecimal.text(point) }

    /// Reads 64 lower-case hexadecimal digits; nil for any other text.
    public static func point(hexadecimal text: String) -> Point? {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 32 else { return nil }
        return bytes
    }

    /// Hides what another registry has hidden; nil if it is not what a registry sends.
    public func hide(_ number: HiddenNumber) -> HiddenNumber? {
        guard let exactPoint = Self.point(hexadecimal: number.exact), let exact = hide(exactPoint),
            let foldedPoint = Self.point(hexadecimal: number.folded), let folded = hide(foldedPoint)
        else { return nil }
        return HiddenNumber(exact: Self.text(exact), folded: Self.text(folded))
    }
}
