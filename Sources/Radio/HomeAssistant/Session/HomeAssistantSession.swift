import Beacons
import HTTPClient
import Scanning
import Syntax

/// One run of a scanner: connects to Home Assistant, delivers its batches, and connects again whenever the connection
/// is lost.
actor HomeAssistantSession: RadioSession {
    /// The time between two checks of the time limits, and at most between two batches.
    static let tick = Duration.milliseconds(500)
    /// How far back the first history is news: what was heard just before.
    static let firstLook = HomeAssistantDialogue.interval
    /// How far back the history is news after a lost connection: as long as a bike counts as present by default.
    static let longestGap = Duration.seconds(180)
    /// The time between two looks at a token file whose token was refused.
    static let tokenPause = Duration.seconds(60)

    nonisolated let channel = BatchChannel()
    private let server: HomeAssistantScanner.Server
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let health: HealthRecord
    private let parts: PartRecords

    private var names: SourceNames
    /// The radios whose names and states are known to ``parts``, and whether they were heard.
    private var noted: (sources: [HomeAssistantDialogue.Source], isHearing: Bool) = ([], false)
    private var connection: StreamConnection?
    private var dialogue: HomeAssistantDialogue?
    /// When the opening of the WebSocket began; nil unless its answer is awaited.
    private var openingSince: ScanInstant?
    /// The reason for which the connection was closed here.
    private var ending: HomeAssistantError?
    /// The task that listens.
    private var work: Task<Void, Never>?
    /// The wait before the next attempt.
    private var pause: Task<Void, Never>?
    private var backoff = ReceiverBackoff()
    private var isStopping = false
    private var lastDelivery: ScanInstant
    /// When Home Assistant last reported what it had heard. Nothing before that was missed.
    private var lastHearing: ScanInstant?

    init(
        _ server: HomeAssistantScanner.Server, clock: any ScanClock, random: @escaping @Sendable () -> Double,
        health: HealthRecord, parts: PartRecords
    ) {
        self.server = server
        self.clock = clock
        self.random = random
        self.health = health
        self.parts = parts
        names = SourceNames(entry: server.name, given: server.names, taken: server.otherNames)
        lastDelivery = clock.now
    }

    func run() async {
        async let _: Void = tickUntilCancelled()
        let work = Task { await listen() }
        self.work = work
        await work.value
        health.update { $0.state = .idle }
        parts.end()
        channel.finish()
    }

    func stop() async {
        isStopping = true
        pause?.cancel()
        work?.cancel()
        await connection?.close()
    }

    /// Holds one conversation after the other, with longer waits while they fail.
    private func listen() async {
        while !isStopping {
            let began = clock.now
            let token = server.token()
            let error = await converse(token)
            guard !isStopping else { break }
            noteFailure(error)
            if error == .tokenRefused {
                await waitForAnotherToken(than: token)
            } else {
                await wait(backoff.wait(after: began.duration(to: clock.now), random: random()))
            }
        }
    }

    /// Each attempt with a wrong token is a warning to the people of the house, and may ban this machine.
    private func waitForAnotherToken(than refused: Result<String, HomeAssistantError>) async {
        repeat { await wait(Self.tokenPause) } while !isStopping && server.token() == refused
        backoff = ReceiverBackoff()
    }

    /// Waits, unless the session is stopped before.
    private func wait(_ length: Duration) async {
        guard !isStopping else { return }
        let pause = Task { [clock] in _ = try? await clock.sleep(for: length) }
        self.pause = pause
        await pause.value
    }
}

// One connection.
extension HomeAssistantSession {
    /// Listens to Home Assistant until something goes wrong.
    private func converse(_ token: Result<String, HomeAssistantError>) async -> HomeAssistantError {
        ending = nil
        updateHealth(.unproven)
        do throws(any Error) {
            let token = try token.get()
            let connection = try await open()
            guard !isStopping else { throw HomeAssistantError.closed }
            self.connection = connection
            openingSince = clock.now
            defer {
                self.connection = nil
                dialogue = nil
                openingSince = nil
            }
            var socket = WebSocket(
                host: server.address.authority, path: server.address.path,
                nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
            do {
                try await connection.send(socket.request)
                while let bytes = try await receive(from: connection, socket) {
                    let replies = try process(bytes, from: &socket, token)
                    try await send(replies, through: connection)
                    if socket.isReceiving { dialogue?.notePart(at: clock.now) }
                }
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
            return ending ?? .closed
        } catch let error as HomeAssistantError {
            return ending ?? error
        } catch let error as HTTPError {
            return ending ?? .connection(error)
        } catch {
            return ending ?? .closed
        }
    }

    /// Connects, without TLS only to private addresses, because the token is secret.
    private func open() async throws -> StreamConnection {
        try await StreamConnection.open(
            server.address.url, addresses: server.address.isEncrypted ? .any : .privateOnly,
            authority: server.certificateAuthority, timeout: server.connectionTime)
    }

    /// The next bytes, once they may be read. To pass over a message is little work, and those behind it wait: Home
    /// Assistant ends connections for which too much waits.
    private func receive(from connection: StreamConnection, _ socket: WebSocket) async throws -> [UInt8]? {
        if let rest = dialogue?.rest(at: clock.now), rest > .zero { try await clock.sleep(for: rest) }
        return try await connection.receive(
            atMost: socket.isSkipping ? StreamConnection.longestRead : StreamConnection.usualRead)
    }

    /// What is to be sent after received bytes.
    private struct Replies {
        var texts: [String] = []
        /// The latest ping, which is enough to answer (RFC 6455, section 5.5.3).
        var ping: [UInt8]?
    }

    /// Processes received bytes.
    private func process(
        _ bytes: [UInt8], from socket: inout WebSocket, _ token: String
    ) throws(HomeAssistantError) -> Replies {
        var replies = Replies()
        for event in try socket.take(bytes) {
            switch event {
            case .opened(let date):
                openingSince = nil
                health.update { $0.isPresent = true }
                dialogue = HomeAssistantDialogue(token: token, date: date, missed: missed, at: clock.now)
            case .text(let text): replies.texts += try process(text)
            case .tooLong: replies.texts += try process(nil)
            case .ping(let payload): replies.ping = payload
            case .closed: throw .closed
            }
        }
        return replies
    }

    /// The time without a connection that the first history makes up for.
    private var missed: Duration {
        guard let lastHearing else { return Self.firstLook }
        return min(lastHearing.duration(to: clock.now), Self.longestGap)
    }

    /// Passes a message to the conversation, and delivers what was heard; returns the messages to send.
    ///
    /// - Parameter text: the message; nil if it is too long to be kept.
    private func process(_ text: [UInt8]?) throws(HomeAssistantError) -> [String] {
        let now = clock.now
        var news = HomeAssistantNews()
        // In place: a copy of the conversation would copy what it remembers.
        guard let answer = try dialogue?.take(text, at: now, into: &news) else { return [] }
        if news.isCurrent { lastHearing = now }
        noteSources(at: now)
        if let dialogue { updateHealth(dialogue.listening(at: now)) }
        deliver(news, at: now)
        return answer
    }

    /// Sends replies, masked as the protocol demands of a client.
    private func send(_ replies: Replies, through connection: StreamConnection) async throws {
        func sendFrame(_ kind: WebSocket.Frame.Kind, _ payload: [UInt8]) async throws {
            let mask = UInt32.random(in: .min ... .max)
            try await connection.send(WebSocket.Frame.encoded(kind, payload, mask: mask))
        }
        if let payload = replies.ping { try await sendFrame(.pong, payload) }
        for text in replies.texts { try await sendFrame(.text, Array(text.utf8)) }
    }

    private func updateHealth(_ listening: HomeAssistantDialogue.Listening) {
        switch listening {
        // A failed receiver works again only when it hears something; another attempt is not enough.
        case .unproven: health.update { if $0.state != .failed { $0.state = .starting } }
        case .hearing: health.update { $0.state = .scanning }
        case .noSource: health.update { $0.fail("\(HomeAssistantError.noSource)") }
        case .silent:
            health.update { $0.fail("\(HomeAssistantError.silent)") }
            parts.fail("\(HomeAssistantError.silent)")
            // Noted again with the next message, when they may work.
            noted = ([], false)
        }
    }

    /// Passes on which radios there are and whether they are heard, if that has changed.
    private func noteSources(at now: ScanInstant) {
        guard let dialogue, let sources = dialogue.sources else { return }
        let isHearing = dialogue.listening(at: now) == .hearing
        guard (sources, isHearing) != noted else { return }
        noted = (sources, isHearing)
        // Those beyond the names have the entry's, which is no part.
        var present = Set(sources.map { names.name(of: $0.address, nameInHomeAssistant: $0.name) })
        present.remove(server.name)
        parts.note(present: present, isHearing: isHearing)
    }

    /// Notes why the connection ended.
    private func noteFailure(_ error: HomeAssistantError) {
        // First: a receiver that has failed must have no part that has not.
        parts.fail("\(error)")
        health.update { health in
            if health.state == .scanning { health.recoveries[.reopen, default: 0] += 1 }
            health.fail("\(error)")
            health.isPresent = error.isFromHomeAssistant
        }
        noted = ([], false)
    }
}

// Batches.
extension HomeAssistantSession {
    /// Delivers a batch for each radio.
    private func deliver(_ news: HomeAssistantNews, at now: ScanInstant) {
        var batches: [String: AdvertisementBatch] = [:]
        for advert in news.adverts {
            let name = names.name(of: advert.source)
            var batch = batches.removeValue(forKey: name) ?? AdvertisementBatch(time: now)
            batch.radio = name
            // Home Assistant reports neither the type of the address nor that of the event.
            batch.append(
                time: now, address: advert.address, addressKind: .random, rssi: advert.rssi, event: [],
                data: advert.data.span.bytes)
            batches[name] = batch
        }
        for (name, batch) in batches.sorted(by: { $0.key < $1.key }) {
            health.note(batch)
            if name != server.name { parts.note(batch, of: name) }
            deliver(batch)
        }
        if news.malformed > 0 { health.update { $0.malformed += news.malformed } }
    }

    private func deliver(_ batch: AdvertisementBatch) {
        lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { health.update { $0.dropped += dropped } }
    }

    private func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.tick)) != nil { await tick(at: clock.now) }
    }

    private func tick(at now: ScanInstant) async {
        if lastDelivery.duration(to: now) >= Self.tick { deliver(AdvertisementBatch(time: now)) }
        do {
            if let openingSince, openingSince.duration(to: now) >= HomeAssistantDialogue.patience {
                throw HomeAssistantError.unanswered(.greeting)
            }
            guard let texts = try dialogue?.tick(at: now), let connection else { return }
            if let dialogue { updateHealth(dialogue.listening(at: now)) }
            try await send(Replies(texts: texts), through: connection)
        } catch {
            ending = error as? HomeAssistantError ?? .closed
            await connection?.close()
        }
    }
}
