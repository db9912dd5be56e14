import Beacons
import Foundation
import Scanning

/// The conversation with one proxy, without any input or output: bytes and time in, advertisements and bytes out.
///
/// A proxy may send anything. So there is a limit for the time until it forwards advertisements, for the time without a
/// complete message, for the length of a message, and for the reports in it.
struct ProxyDialogue {
    /// What the device says of its scanner.
    enum Listening: Equatable {
        /// It has not proved that it forwards anything.
        case unproven
        case proven
        /// Its scanner has failed.
        case failed
    }

    private enum Stage: Equatable {
        case handshake, greeting, information, subscribed
    }

    /// The time for everything up to the subscription.
    static let patience = Duration.seconds(20)
    /// The time after the subscription in which an advertisement or the state of the scanner must arrive.
    static let silence = Duration.seconds(60)
    /// The time without a message after which the proxy is asked for a sign of life; it has the rest of
    /// ``silence`` to answer.
    static let pingAfter = Duration.seconds(20)
    /// ESPHome sends 16 reports at once.
    static let maximumReports = 512
    /// The reports that a proxy may send in a second: more than a radio can hear, and less than what would keep this
    /// machine busy.
    static let maximumRate = 5000
    /// This program's version of the API, and the newest major version of a device that it accepts, as other clients do.
    private static let version: (major: UInt32, minor: UInt32) = (1, 10)
    private static let newestMajor: UInt32 = 2

    private(set) var listening = Listening.unproven
    private var codec: any FrameCodec
    private var input = ProxyInput()
    private var stage = Stage.handshake
    private var features: ProxyFeatures = []
    private var hasSetMode = false
    private var began: ScanInstant
    private var rate: ReceiverRate
    private var lastMessage: ScanInstant
    private var lastPing: ScanInstant
    private let client: String

    /// - Parameters:
    ///   - client: this program's name and version, for the proxy's log.
    ///   - key: the key of the proxy; nil for an unencrypted connection.
    init(client: String, key: ProxyKey?, at now: ScanInstant) {
        self.init(client: client, codec: key.map { NoiseFrames($0) } ?? PlainFrames(), at: now)
    }

    init(client: String, codec: any FrameCodec, at now: ScanInstant) {
        self.client = client
        self.codec = codec
        began = now
        rate = ReceiverRate(maximum: Self.maximumRate, start: now)
        lastMessage = now
        lastPing = now
    }

    /// The first bytes.
    mutating func open() throws(ProxyError) -> Data {
        let bytes = try codec.open()
        return bytes + (try greetIfReady())
    }

    /// Processes received bytes; returns the bytes to send.
    mutating func take(
        _ bytes: [UInt8], at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) -> Data {
        input.append(bytes)
        var output = Data()
        while let frame = try codec.next(&input) {
            lastMessage = now
            if stage == .handshake { output += try greetIfReady() }
            output += try react(to: frame, at: now, into: &batch)
        }
        output += try greetIfReady()
        return output
    }

    /// Checks the time limits; returns the bytes to send.
    mutating func tick(at now: ScanInstant) throws(ProxyError) -> Data {
        if stage != .subscribed, began.duration(to: now) >= Self.patience { throw .unanswered(pendingStep) }
        guard stage == .subscribed else { return Data() }
        if listening == .unproven, began.duration(to: now) >= Self.silence { throw .unheard }
        let quiet = lastMessage.duration(to: now)
        if quiet >= Self.silence { throw .unanswered(.messages) }
        guard quiet >= Self.pingAfter, lastPing.duration(to: now) >= Self.pingAfter else { return Data() }
        lastPing = now
        return try codec.encode(ProxyFrame(.pingRequest))
    }

    /// The bytes that end the conversation, so that the proxy is free for the next subscriber at once.
    mutating func close() -> Data {
        guard stage != .handshake else { return Data() }
        return (try? codec.encode(ProxyFrame(.disconnectRequest))) ?? Data()
    }

    private var pendingStep: ProxyError.Step {
        switch stage {
        case .handshake: .handshake
        case .greeting: .greeting
        case .information: .information
        case .subscribed: .messages
        }
    }
}

// Messages.
extension ProxyDialogue {
    /// Sends the greeting as soon as the handshake is complete.
    private mutating func greetIfReady() throws(ProxyError) -> Data {
        guard stage == .handshake, codec.isReady else { return Data() }
        stage = .greeting
        let (major, minor) = Self.version
        let hello = APIHelloRequest(clientInfo: client, apiVersionMajor: major, apiVersionMinor: minor)
        let greeting = try codec.encode(ProxyFrame(.helloRequest, hello))
        // Firmware before 2026 wants an authentication, with an empty password; later firmware ignores it.
        return greeting + (try codec.encode(ProxyFrame(.authenticationRequest)))
    }

    private mutating func react(
        to frame: ProxyFrame, at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) -> Data {
        guard let type = ProxyMessageType(rawValue: frame.type) else { return Data() }
        switch (type, stage) {
        case (.rawAdvertisementsResponse, .subscribed): try hear(frame, at: now, into: &batch)
        case (.scannerStateResponse, .subscribed): return try learn(frame)
        case (.helloResponse, .greeting): return try askForInformation(frame)
        case (.deviceInfoResponse, .information): return try subscribe(frame, at: now)
        case (.authenticationResponse, _): try check(frame)
        case (.pingRequest, _): return try codec.encode(ProxyFrame(.pingResponse))
        case (.disconnectRequest, _): throw .dismissed
        default: break
        }
        return Data()
    }

    private mutating func askForInformation(_ frame: ProxyFrame) throws(ProxyError) -> Data {
        let hello = try frame.decoded(APIHelloResponse.self)
        guard hello.apiVersionMajor <= Self.newestMajor else { throw .tooNew(major: hello.apiVersionMajor) }
        stage = .information
        return try codec.encode(ProxyFrame(.deviceInfoRequest))
    }

    private func check(_ frame: ProxyFrame) throws(ProxyError) {
        if try frame.decoded(APIAuthenticationResponse.self).invalidPassword { throw .passwordNeeded }
    }

    private mutating func subscribe(_ frame: ProxyFrame, at now: ScanInstant) throws(ProxyError) -> Data {
        let device = try frame.decoded(APIDeviceInfoResponse.self)
        features = ProxyFeatures(rawValue: device.bluetoothProxyFeatureFlags)
        guard features.contains(.rawAdvertisements) else {
            let isProxy = !features.isEmpty || device.legacyBluetoothProxyVersion > 0
            throw isProxy ? .tooOld : .notAProxy
        }
        stage = .subscribed
        began = now
        // The only flag: raw advertisements.
        let request = APISubscribeBluetoothLEAdvertisementsRequest(flags: 1)
        return try codec.encode(ProxyFrame(.subscribeAdvertisementsRequest, request))
    }

    private mutating func hear(
        _ frame: ProxyFrame, at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) {
        let reports = try frame.decoded(APIBluetoothLERawAdvertisementsResponse.self).advertisements
        guard reports.count <= Self.maximumReports else { throw .malformed }
        guard rate.allows(reports.count, at: now) else { throw .flooding }
        for report in reports { batch.append(report, at: now) }
        if !reports.isEmpty { listening = .proven }
    }

    private mutating func learn(_ frame: ProxyFrame) throws(ProxyError) -> Data {
        let scanner = try frame.decoded(APIBluetoothScannerStateResponse.self)
        // The other states are steps of every scan.
        listening = scanner.state == .failed ? .failed : .proven
        // Asked for once, so that two programs do not fight over the mode.
        guard scanner.mode == .active, features.contains(.stateAndMode), !hasSetMode else { return Data() }
        hasSetMode = true
        let request = APIBluetoothScannerSetModeRequest(mode: .passive)
        return try codec.encode(ProxyFrame(.scannerSetModeRequest, request))
    }
}
