import Beacons
import Foundation
import Scanning

@testable import HomeAssistant

/// An input is an octet that selects a form, and then the pieces in which it arrives, each after two octets with its
/// length: frames of a WebSocket, or messages after Home Assistant has accepted the token.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    var rest = UnsafeBufferPointer(start: start + 1, count: count - 1)[...]
    var pieces: [[UInt8]] = []
    while let high = rest.popFirst(), let low = rest.popFirst() {
        let length = Int(high) << 8 | Int(low)
        pieces.append(Array(rest.prefix(length)))
        rest = rest.dropFirst(length)
    }
    if start[0] & 1 == 0 { receive(pieces) } else { converse(pieces) }
    return 0
}

/// Pieces of a connection: the answer to the handshake, and frames.
private func receive(_ pieces: [[UInt8]]) {
    var socket = WebSocket(host: "a", path: "/", nonce: Array("the sample nonce".utf8))
    var size = 0
    do throws(HomeAssistantError) {
        for piece in pieces {
            for case .text(let text) in try socket.take(piece) { size += text.count }
        }
    } catch {}
    precondition(size <= pieces.reduce(0) { $0 + $1.count })
}

private func converse(_ messages: [[UInt8]]) {
    var time = ScanInstant(nanoseconds: 0)
    var dialogue = HomeAssistantDialogue(token: "token", date: 1_795_821_291, missed: .seconds(30), at: time)
    var names = SourceNames(entry: "home", given: ["AA:00:00:00:00:02": "door"])
    var known: Set<String> = []
    do throws(HomeAssistantError) {
        for greeting in [#"{"type":"auth_required"}"#, #"{"type":"auth_ok","ha_version":"2026.2.3"}"#] {
            var news = HomeAssistantNews()
            _ = try dialogue.take(Array(greeting.utf8), at: time, into: &news)
        }
        for message in messages {
            var news = HomeAssistantNews()
            _ = try dialogue.take(message, at: time, into: &news)
            for source in dialogue.sources ?? [] {
                known.insert(names.name(of: source.address, nameInHomeAssistant: source.name))
            }
            for advert in news.adverts {
                known.insert(names.name(of: advert.source))
                walk(advert.data)
            }
            time = time.advanced(by: .seconds(15))
            _ = try dialogue.tick(at: time)
        }
    } catch {}
    precondition(known.allSatisfy { (1...SourceNames.longest).contains($0.utf8.count) })
    precondition((dialogue.sources ?? []).count <= HomeAssistantDialogue.maximumSources)
}

/// What was put together from digits is advertising data without a rest.
private func walk(_ data: [UInt8]) {
    var structures = ADStructures()
    var end = 0
    while let structure = structures.next(in: data.span.bytes) { end = structure.data.upperBound }
    precondition(end == data.count)
}
