import Foundation
import Scanning

/// A message of Home Assistant's WebSocket API, with the fields that are used.
struct HomeAssistantMessage: Decodable {
    /// The most adverts or radios of a message that are used. If there are more, those that were heard last.
    static let maximumItems = 16 << 10
    /// The most that are read.
    private static let mostRead = 4 * maximumItems
    /// Home Assistant's own messages of Bluetooth have five levels, some 20 values in an advert, and no keys that are
    /// longer than a UUID.
    static let limits = JSONLimits(depth: 16, values: 32 * maximumItems, key: 64)
    /// The longest type.
    private static let longestType = 64

    struct Failure: Decodable {
        let code: String?
    }

    /// What a subscription reports: adverts, or radios.
    struct Happening: Decodable {
        let add: Items?
        let remove: Items?
    }

    /// The items of a list. One that cannot be read must not take the others with it.
    struct Items: Decodable {
        private(set) var items: [Item] = []
        private(set) var malformed = 0

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
        var name: String?
        var source: String?
        var time: Double?
        var rssi: Double?
        var manufacturerData: [String: String]?
        var serviceData: [String: String]?

        enum CodingKeys: String, CodingKey {
            case address, name, source, time, rssi
            case manufacturerData = "manufacturer_data"
            case serviceData = "service_data"
        }

        /// The address of an adapter or proxy, if it is as short as one.
        var radio: String? { source.flatMap { $0.utf8.count <= 64 ? $0 : nil } }

        /// A field of another type counts as absent.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func value<Value: Decodable>(_ key: CodingKeys) -> Value? { try? values.decode(Value.self, forKey: key) }
            (address, name, source) = (value(.address), value(.name), value(.source))
            (time, rssi) = (value(.time), value(.rssi))
            (manufacturerData, serviceData) = (value(.manufacturerData), value(.serviceData))
        }
    }

    let type: String
    let id: Int?
    let version: String?
    let success: Bool?
    let error: Failure?
    let event: Happening?

    enum CodingKeys: String, CodingKey {
        case type, id, success, error, event
        case version = "ha_version"
    }

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
