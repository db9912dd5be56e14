import Beacons
import Foundation
import Scanning

/// The conversation with one proxy, without any input or output: bytes and time in, advertisements and bytes out.
///
/// A proxy may send anything. So there is a limit for the time until it forwards advertisements, for the time without a
/// complete message, for the length of a message, and for the reports in it.
struct ProxyDialogue {
    /// Whether the proxy can be listened to. Only advertisements prove it: a proxy may say that it scans, and forward
    /// nothing.
    enum Listening: Equatable {
        /// Nothing was heard yet.
        case unproven
        case hearing
        /// Nothing was heard for ``silence``.
        case silent
        /// The proxy says that its scanner has failed.
        case failed
    }

    /// What has been reached, in this order.
    private enum Stage: Equatable {
        case handshake, greeting, information, subscribed
    }

    /// The time for everything up to the subscription.
    static let patience = Duration.seconds(20)
    /// The longest time without an advertisement, and without any message.
    static let silence = Duration.seconds(60)
    /// The time in which a proxy that reports the state of its scanner does so to the program that it serves. Usually
    /// it does so immediately.
    static let reportTime = Duration.seconds(5)
    /// The time without a message after which the proxy gets a ping; it has the rest of ``silence`` to answer.
    static let pingAfter = Duration.seconds(20)
    /// The maximum number of reports in a message; ESPHome sends 16.
    static let maximumReports = 512
    /// The maximum number of reports in a second: more than a radio can hear, and less than what would keep this
    /// machine busy.
    static let maximumRate = 5000
    /// This program's version of ESPHome's native API.
    private static let version: (major: UInt32, minor: UInt32) = (1, 10)
    /// The newest major version of a device that is accepted, the same as that of other clients.
    private static let newestMajor: UInt32 = 2

    private var codec: any FrameCodec
    private var input = ProxyInput()
    private var stage = Stage.handshake
    private var features: ProxyFeatures = []
    /// Whether the proxy was asked to scan passively.
    private var hasSetMode = false
    /// Whether the proxy's scanner has failed.
    private var hasFailed = false
    /// The start of the conversation, and from the subscription on, the time of that.
    private var began: ScanInstant
    private var rate: ReceiverRate
    private var lastMessage: ScanInstant
    private var lastAdvertisement: ScanInstant?
    private var lastPing: ScanInstant
    /// Whether a ping was sent and its response has not arrived. Only one is sent at a time, so that it is known to which
    /// request a response belongs.
    private var isAwaitingPong = false
    private var probe = SubscriptionProbe()
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

    /// Whether the proxy can be listened to.
    func listening(at now: ScanInstant) -> Listening {
        if hasFailed { return .failed }
        if (lastAdvertisement ?? began).duration(to: now) >= Self.silence { return .silent }
        return lastAdvertisement == nil ? .unproven : .hearing
    }

    /// The first bytes to send.
    mutating func open() throws(ProxyError) -> Data {
        let bytes = try codec.open()
        return bytes + (try greetIfReady())
    }

    /// Processes received bytes, and adds what they report to a batch; returns the bytes to send.
    mutating func take(
        _ bytes: [UInt8], at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) -> Data {
        input.append(bytes)
        var output = Data()
        while let frame = try codec.next(&input) {
            lastMessage = now
            if stage == .handshake { output += try greetIfReady() }
            output += try handle(frame, at: now, into: &batch)
        }
        output += try greetIfReady()
        return output
    }

    /// Checks the time limits; returns the bytes to send. To be called every second or so.
    ///
    /// - Throws: `unanswered` or `unheard` after a time limit.
    mutating func tick(at now: ScanInstant) throws(ProxyError) -> Data {
        if stage != .subscribed, began.duration(to: now) >= Self.patience { throw .unanswered(pendingStep) }
        guard stage == .subscribed else { return Data() }
        let patience = features.contains(.stateAndMode) ? Self.reportTime : Self.silence
        if !probe.isServed, began.duration(to: now) >= patience { throw .unheard }
        let quiet = lastMessage.duration(to: now)
        if quiet >= Self.silence { throw .unanswered(.messages) }
        guard !isAwaitingPong else { return Data() }
        if probe.isDue(at: now) { return try askWhetherServed(at: now) }
        guard quiet >= Self.pingAfter, lastPing.duration(to: now) >= Self.pingAfter else { return Data() }
        return try ping(at: now)
    }

    /// Asks whether the proxy serves this program (``SubscriptionProbe``).
    private mutating func askWhetherServed(at now: ScanInstant) throws(ProxyError) -> Data {
        probe.noteAsked()
        let request = APIBluetoothGATTReadRequest(address: SubscriptionProbe.nobody, handle: 1)
        return try codec.encode(ProxyFrame(.gattReadRequest, request)) + ping(at: now)
    }

    /// Asks for a sign of life.
    private mutating func ping(at now: ScanInstant) throws(ProxyError) -> Data {
        lastPing = now
        isAwaitingPong = true
        return try codec.encode(ProxyFrame(.pingRequest))
    }

    /// The bytes that end the conversation, so that the proxy is immediately free for the next subscriber.
    mutating func close() -> Data {
        guard stage != .handshake else { return Data() }
        return (try? codec.encode(ProxyFrame(.disconnectRequest))) ?? Data()
    }

    /// What the proxy has to do next.
    private var pendingStep: ProxyError.Step {
        switch stage {
        case .handshake: .handshake
        case .greeting: .greeting
        case .information: .information
        case .subscribed: .messages
        }
    }
}

// The messages of the proxy, and the answers to them.
extension ProxyDialogue {
    /// Sends the greeting as soon as the handshake is complete.
    private mutating func greetIfReady() throws(ProxyError) -> Data {
        guard stage == .handshake, codec.isReady else { return Data() }
        stage = .greeting
        let hello = APIHelloRequest(
            clientInfo: client, apiVersionMajor: Self.version.major, apiVersionMinor: Self.version.minor)
        let greeting = try codec.encode(ProxyFrame(.helloRequest, hello))
        // Firmware before 2026 wants an authentication, with an empty password; later firmware ignores it.
        return greeting + (try codec.encode(ProxyFrame(.authenticationRequest)))
    }

    /// Handles a message, if it is one that is expected now; returns the bytes to send.
    private mutating func handle(
        _ frame: ProxyFrame, at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) -> Data {
        guard let type = ProxyMessageType(rawValue: frame.type) else { return Data() }
        switch (type, stage) {
        case (.rawAdvertisementsResponse, .subscribed): try receiveAdvertisements(frame, at: now, into: &batch)
        case (.scannerStateResponse, .subscribed): return try noteScannerState(frame, at: now)
        case (.gattErrorResponse, .subscribed): try noteRefusal(frame)
        case (.pingResponse, _): try notePong(at: now)
        case (.helloResponse, .greeting): return try askForInformation(frame)
        case (.deviceInfoResponse, .information): return try subscribe(frame, at: now)
        case (.authenticationResponse, _): try checkAuthentication(frame)
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

    private func checkAuthentication(_ frame: ProxyFrame) throws(ProxyError) {
        if try frame.decoded(APIAuthenticationResponse.self).invalidPassword { throw .passwordNeeded }
    }

    /// Subscribes, if the device says that it forwards advertisements.
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
        return try codec.encode(ProxyFrame(.subscribeAdvertisementsRequest, request)) + askWhetherServed(at: now)
    }

    private mutating func receiveAdvertisements(
        _ frame: ProxyFrame, at now: ScanInstant, into batch: inout AdvertisementBatch
    ) throws(ProxyError) {
        let bytes = frame.payload.bytes
        var reports = APIBluetoothLERawAdvertisementsResponse(0..<frame.payload.count)
        var count = 0
        do throws(ProtobufReader.Malformed) {
            while let report = try reports.next(in: bytes), count <= Self.maximumReports {
                count += 1
                batch.append(report, of: bytes, at: now)
            }
        } catch {
            throw .malformed
        }
        guard count <= Self.maximumReports else { throw .malformed }
        guard rate.allows(count, at: now) else { throw .flooding }
        guard count > 0 else { return }
        lastAdvertisement = now
        hasFailed = false
        probe.noteServed(at: now)
        probe.noteHeard(at: now)
    }

    /// Notes the state of the scanner, and switches an active scanner to passive mode.
    private mutating func noteScannerState(
        _ frame: ProxyFrame, at now: ScanInstant
    ) throws(ProxyError) -> Data {
        let scanner = try frame.decoded(APIBluetoothScannerStateResponse.self)
        // It sends states, like advertisements, only to the program that it serves.
        probe.noteServed(at: now)
        // The other states are steps of every scan.
        hasFailed = scanner.state == .failed
        // Asked for once, so that two programs do not fight over the mode.
        guard scanner.mode == .active, features.contains(.stateAndMode), !hasSetMode else { return Data() }
        hasSetMode = true
        let request = APIBluetoothScannerSetModeRequest(mode: .passive)
        return try codec.encode(ProxyFrame(.scannerSetModeRequest, request))
    }

    /// Notes that the proxy refused the request about a device that does not exist.
    private mutating func noteRefusal(_ frame: ProxyFrame) throws(ProxyError) {
        guard try frame.decoded(APIBluetoothGATTErrorResponse.self).address == SubscriptionProbe.nobody else { return }
        probe.noteRefusal()
    }

    /// - Throws: `taken` if the sign of life shows that another program is served.
    private mutating func notePong(at now: ScanInstant) throws(ProxyError) {
        guard isAwaitingPong else { return }
        isAwaitingPong = false
        if probe.noteLife(at: now) { throw .taken }
    }
}
