import Foundation
import Scanning

/// A message of Home Assistant's WebSocket API, with the fields that are used.
struct HomeAssistantMessage: Decodable {
    /// The most adverts or radios of a message that are used. If there are more, those that were heard last.
    static let maximumItems = 16 << 10
    /// The most items of a message that are read.
    private static let mostRead = 4 * maximumItems
    /// Home Assistant's own messages of Bluetooth have five levels, some 20 values in an advert, and no keys that are
    /// longer than a UUID.
    static let limits = JSONLimits(depth: 16, values: 32 * maximumItems, key: 64)
    /// The longest type in bytes.
    private static let longestType = 64

    /// Why a command was refused.
    struct Failure: Decodable {
        /// A word of Home Assistant's, such as `unauthorized`.
        let code: String?
    }

    /// What a subscription reports: adverts, or radios.
    struct Happening: Decodable {
        /// What has appeared or changed.
        let add: Items?
        /// What is gone; used for radios only.
        let remove: Items?
    }

    /// The items of a list. One that cannot be read must not take the others with it.
    struct Items: Decodable {
        private(set) var items: [Item] = []
        /// The number of items that could not be read, or were more than ``maximumItems``.
        private(set) var malformed = 0

        /// The number of all items that were read.
        var count: Int { items.count + malformed }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd, count < mostRead {
                if let item = try? list.decode(Item.self) {
                    items.append(item)
                } else {
                    malformed += 1
                    // A failed decode does not move on.
                    _ = try list.decode(Anything.self)
                }
            }
            guard items.count > maximumItems else { return }
            items.sort { ($0.time ?? 0) > ($1.time ?? 0) }
            malformed += items.count - maximumItems
            items.removeLast(items.count - maximumItems)
        }

        private struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }
    }

    /// An advert, or a radio.
    struct Item: Decodable {
        var address: String?
        /// The name of a radio.
        var name: String?
        /// The address of the radio that heard the advert best.
        var source: String?
        /// When it was heard, by Home Assistant's wall clock in seconds.
        var time: Double?
        var rssi: Double?
        /// Hexadecimal data by the decimal number of the company.
        var manufacturerData: [String: String]?
        /// Hexadecimal data by the UUID of the service.
        var serviceData: [String: String]?

        enum CodingKeys: String, CodingKey {
            case address, name, source, time, rssi
            case manufacturerData = "manufacturer_data"
            case serviceData = "service_data"
        }

        /// The address of an adapter or proxy, if it is as short as one.
        var radio: String? {
            guard let source, source.utf8.count <= 64 else { return nil }
            return source
        }

        /// A field of another type counts as absent.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys) -> Value? { try? values.decode(Value.self, forKey: key) }
            address = value(.address)
            name = value(.name)
            source = value(.source)
            time = value(.time)
            rssi = value(.rssi)
            manufacturerData = value(.manufacturerData)
            serviceData = value(.serviceData)
        }
    }

    let type: String
    /// The number of the command that it answers, or of the subscription that it belongs to.
    let id: Int?
    let version: String?
    let success: Bool?
    let error: Failure?
    let event: Happening?

    enum CodingKeys: String, CodingKey {
        case type, id, success, error, event
        case version = "ha_version"
    }

    /// Parses a message.
    ///
    /// - Throws: `tooLarge` beyond ``limits``, and `malformed`.
    init(_ text: [UInt8]) throws(HomeAssistantError) {
        do { try Self.limits.check(text) } catch { throw error == .size ? .tooLarge : .malformed }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(text))
        } catch let error as HomeAssistantError {
            throw error
        } catch {
            throw .malformed
        }
        guard type.utf8.count <= Self.longestType else { throw .malformed }
    }

    /// The number of its items; 1 if it has none, because reading it was work, too.
    var size: Int { max(1, (event?.add?.count ?? 0) + (event?.remove?.count ?? 0)) }
}
