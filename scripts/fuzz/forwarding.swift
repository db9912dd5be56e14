import OperatingSystem

/// An input is what a client writes into a forwarding field, to which the proxy appends the client's address: the client must
/// not change how that is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let claim = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let proxy = NetworkAddress("10.0.0.1"), let client = NetworkAddress("192.0.2.7") else { return 0 }
    let appended: [(ForwardingField, String)] = [
        (.xForwardedFor, "192.0.2.7"), (.xForwardedFor, "192.0.2.7:4711"), (.xForwardedFor, "[::ffff:192.0.2.7]:4711"),
        (.forwarded, "for=192.0.2.7"), (.forwarded, "for=\"192.0.2.7:4711\";proto=https"),
        (.forwarded, "by=10.0.0.1;for=\"[::ffff:192.0.2.7]\";host=\"a\\\\\\\", for=10.0.0.9;for=10.0.0.8\""),
    ]
    for (field, element) in appended {
        let found = field.client(behind: proxy, "\(claim), \(element)") { $0 == proxy }
        precondition(found == client, "\(field) takes \(found) for the client")
        // Behind a trusted hop, the claim itself is read, whatever it is.
        _ = field.client(behind: proxy, claim) { $0 == proxy || $0 == client }
    }
    return 0
}
