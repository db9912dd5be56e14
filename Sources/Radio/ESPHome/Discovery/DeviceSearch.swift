import Syntax

/// Collects what devices say about themselves: a value without sockets and time.
struct DeviceSearch: Sendable {
    static let service = DNSName("_esphomelib._tcp.local")
    /// The most devices that are collected.
    static let maximumDevices = 200

    /// What a device has said so far.
    private struct Device {
        var service: (port: UInt16, host: DNSName)?
        var texts: [String]?
    }

    /// Devices by the names under which they offer the service.
    private var devices: [DNSName: Device] = [:]
    /// IPv4 addresses by host names.
    private var addresses: [DNSName: String] = [:]

    /// Takes a datagram that somebody has sent; ignores one that is not a DNS response.
    mutating func take(_ datagram: [UInt8]) {
        guard let message = DNSMessage(datagram) else { return }
        // Devices first, because the order of records says nothing.
        for record in message.records where record.name == Self.service {
            guard case .pointer(let name) = record.data else { continue }
            guard name.labels.count > Self.service.labels.count, devices.count < Self.maximumDevices else { continue }
            devices[name] = devices[name] ?? Device()
        }
        for record in message.records {
            switch record.data {
            case .service(let port, let host): devices[record.name]?.service = (port, host)
            case .texts(let texts): devices[record.name]?.texts = texts
            case .address(let address):
                guard addresses.count < Self.maximumDevices * 2 else { continue }
                addresses[record.name] = address
            case .pointer: continue
            }
        }
    }

    /// What to ask next, in queries: which devices there are, and what those have not said yet.
    var queries: [[UInt8]] {
        var questions = [DNSQuestion(name: Self.service, type: DNSQuestion.pointer)]
        for (name, device) in devices {
            if device.service == nil { questions.append(DNSQuestion(name: name, type: DNSQuestion.service)) }
            if device.texts == nil { questions.append(DNSQuestion(name: name, type: DNSQuestion.text)) }
            if let host = device.service?.host, addresses[host] == nil {
                questions.append(DNSQuestion(name: host, type: DNSQuestion.address))
            }
        }
        // 4 questions with the longest names still fit into one packet of an Ethernet.
        return stride(from: 0, to: questions.count, by: 4).map { start in
            DNSQuestion.query(questions[start..<min(start + 4, questions.count)])
        }
    }

    /// The devices that have said where they are, by name.
    var found: [FoundDevice] {
        devices.compactMap { name, device in
            guard let service = device.service, service.port > 0 else { return nil }
            let texts = device.texts ?? []
            func value(_ key: String) -> String? {
                texts.lazy.compactMap { $0.dropping(prefix: "\(key)=") }.first.map { String($0) }
            }
            let host = service.host.text
            // People copy the shown address into the settings.
            guard ProxyAddress(addresses[service.host] ?? host) != nil else { return nil }
            return FoundDevice(
                name: name.labels[0], address: addresses[service.host], port: service.port, host: host,
                needsKey: value("api_encryption") != nil, title: value("friendly_name"))
        }.sorted { ($0.name, $0.host, $0.port) < ($1.name, $1.host, $1.port) }
    }
}
