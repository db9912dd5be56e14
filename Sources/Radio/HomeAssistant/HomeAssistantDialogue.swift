import Beacons
import Foundation
import Scanning
import Syntax

/// The conversation with Home Assistant, without any input or output: messages and time in, adverts and messages out.
///
/// Home Assistant reports an address when it appears and when its data change, but not each frame. A new subscription
/// delivers all that it knows, with the time of the newest frame of each address. So the subscription is renewed every
/// ``interval``: what was heard since then counts as heard again. Everything is only read.
struct HomeAssistantDialogue {
    /// Whether Home Assistant can be listened to. Only adverts prove it.
    enum Listening: Equatable {
        /// Nothing was heard yet.
        case unproven
        case hearing
        /// Home Assistant has no radio.
        case noSource
        /// Nothing was heard for ``silence``.
        case silent
    }

    /// A radio of Home Assistant.
    struct Source: Equatable {
        /// The address of the adapter or proxy, as Home Assistant writes it.
        let address: String
        /// The name in Home Assistant; the address if it has none.
        let name: String
    }

    /// What has been reached, in this order.
    private enum Stage {
        case greeting, authentication, listening
    }

    /// The time from a history to the request for the next one.
    static let interval = Duration.seconds(30)
    /// The time from a history that was too long to the request for the next one. With that many known addresses, a
    /// history takes seconds to arrive, and the adverts behind it wait.
    static let longInterval = Duration.seconds(600)
    /// The time for each answer, and between two parts of one.
    static let patience = Duration.seconds(20)
    /// The time for a history that arrives in parts.
    static let longestHistory = Duration.seconds(300)
    /// The longest time without an advert: five histories.
    static let silence = Duration.seconds(150)
    /// The time after which Home Assistant has named its radios if it has any.
    static let sourceTime = Duration.seconds(5)
    /// The most messages, and items in them, in a second; a history counts as one.
    static let maximumRate = 5000
    /// The messages and items in a second after which no more is read in it. So those that have waited behind a long
    /// history are no flood. The difference to ``maximumRate`` is more than one read of Home Assistant's adverts has.
    static let pace = 4000
    /// The most radios that are named.
    static let maximumSources = 64
    /// The first version with the commands.
    private static let firstVersion = (2025, 2)

    private let token: String
    private var stage = Stage.greeting
    private var version = ""
    private var history: HeardHistory
    private var rate: ReceiverRate
    /// The start of the conversation, and from the subscription on, the time of that.
    private var began: ScanInstant
    private var lastAdvert: ScanInstant?
    /// The radios that Home Assistant has now; nil if it does not say.
    private(set) var sources: [Source]? = []

    /// The number of the last command; Home Assistant wants each to be greater than the one before.
    private var lastID = 0
    /// The number of the command that asks for the radios, which their reports bear.
    private var detailsID = 0
    /// The subscription whose history has arrived.
    private var current: Int?
    /// The subscription whose history has not arrived, and since when.
    private var pending: (id: Int, since: ScanInstant)?
    private var lastHistory: ScanInstant
    /// The time from ``lastHistory`` to the next request.
    private var wait = interval
    /// When the last part of a message arrived that was not complete.
    private var lastPart: ScanInstant?

    /// - Parameters:
    ///   - date: Home Assistant's wall time in seconds, if its answer said it.
    ///   - missed: the time without a connection.
    init(token: String, date: Int64?, missed: Duration, at now: ScanInstant) {
        self.token = token
        history = HeardHistory(date: date, openedAt: now, missed: missed)
        rate = ReceiverRate(maximum: Self.maximumRate, start: now)
        began = now
        lastHistory = now
    }

    /// Whether Home Assistant can be listened to.
    func listening(at now: ScanInstant) -> Listening {
        let isNamed = stage == .listening && began.duration(to: now) >= Self.sourceTime
        if isNamed, sources?.isEmpty == true, lastAdvert == nil { return .noSource }
        if (lastAdvert ?? began).duration(to: now) >= Self.silence { return .silent }
        return lastAdvert == nil ? .unproven : .hearing
    }

    /// Processes a message; returns the messages to send.
    ///
    /// - Parameter text: the message; nil if it is too long to be kept.
    mutating func take(
        _ text: [UInt8]?, at now: ScanInstant, into heard: inout HomeAssistantNews
    ) throws(HomeAssistantError) -> [String] {
        let message: HomeAssistantMessage
        do throws(HomeAssistantError) {
            guard let text else { throw .tooLarge }
            message = try HomeAssistantMessage(text)
        } catch {
            guard error == .tooLarge else { throw error }
            try skipMessage(at: now, into: &heard)
            return []
        }
        guard rate.allows(beginsHistory(message) ? 1 : message.size, at: now) else { throw .flooding }
        switch (message.type, stage) {
        case ("auth_required", .greeting):
            stage = .authentication
            return [Command(type: "auth", token: token).text]
        case ("auth_invalid", .authentication): throw .tokenRefused
        case ("auth_ok", .authentication):
            version = (message.version ?? "").line(atMost: 32)
            stage = .listening
            began = now
            detailsID = nextID()
            return [Command(type: "bluetooth/subscribe_scanner_details", id: detailsID).text] + subscribe(at: now)
        case ("result", .listening): try handleResult(message)
        case ("event", .listening): try handleEvent(message, at: now, into: &heard)
        case (_, .greeting), (_, .authentication): throw .malformed
        default: break
        }
        return []
    }

    /// Skips a message that is too long to be read. If somebody floods the air with addresses, this is a history:
    /// whatever is heard after it is still reported, so a flood cannot make the station deaf.
    private mutating func skipMessage(
        at now: ScanInstant, into heard: inout HomeAssistantNews
    ) throws(HomeAssistantError) {
        guard stage == .listening else { throw .tooLarge }
        // Reading it was work: as much as for a quarter of the rate.
        guard rate.allows(Self.maximumRate / 4, at: now) else { throw .flooding }
        heard.malformed += 1
        guard let id = pending?.id else { return }
        noteHistory(of: id, at: now, nextAfter: Self.longInterval)
    }

    /// Notes that a part of a message has arrived.
    mutating func notePart(at now: ScanInstant) { lastPart = now }

    /// The time during which nothing should be read.
    func rest(at now: ScanInstant) -> Duration { rate.rest(after: Self.pace, at: now) }

    /// Checks the time limits; returns the messages to send.
    mutating func tick(at now: ScanInstant) throws(HomeAssistantError) -> [String] {
        let step: HomeAssistantError.Step? =
            switch stage {
            case .greeting: .greeting
            case .authentication: .authentication
            case .listening: nil
            }
        if let step {
            guard began.duration(to: now) < Self.patience else { throw .unanswered(step) }
            return []
        }
        if let pending {
            let progress = max(pending.since, lastPart ?? pending.since)
            guard progress.duration(to: now) < Self.patience, pending.since.duration(to: now) < Self.longestHistory
            else { throw .unanswered(.history) }
            return []
        }
        return lastHistory.duration(to: now) >= wait ? subscribe(at: now) : []
    }
}

// Subscriptions.
extension HomeAssistantDialogue {
    /// A command to Home Assistant; a field that is nil is left out.
    private struct Command: Encodable {
        var type: String
        var id: Int?
        var token: String?
        var subscription: Int?

        enum CodingKeys: String, CodingKey {
            case type, id, subscription
            case token = "access_token"
        }

        /// The command as JSON.
        var text: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    private mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// Whether it is the first event of the subscription that has just been made. There is one each ``interval``.
    private func beginsHistory(_ message: HomeAssistantMessage) -> Bool {
        pending != nil && message.id == pending?.id && message.event != nil
    }

    /// Subscribes, and ends the subscription before. In this order, so that nothing is missed between them.
    private mutating func subscribe(at now: ScanInstant) -> [String] {
        let id = nextID()
        pending = (id, now)
        let commands = [Command(type: "bluetooth/subscribe_advertisements", id: id).text]
        guard let current else { return commands }
        return commands + [Command(type: "unsubscribe_events", id: nextID(), subscription: current).text]
    }

    /// Notes that the history of a subscription has arrived, and when to ask for the next one.
    private mutating func noteHistory(of id: Int, at now: ScanInstant, nextAfter interval: Duration) {
        current = id
        pending = nil
        lastHistory = now
        wait = interval
    }

    /// Handles the answer to a command. Only that to a subscription must not be a refusal.
    private mutating func handleResult(_ result: HomeAssistantMessage) throws(HomeAssistantError) {
        guard let id = result.id, result.success == false else { return }
        let code = (result.error?.code ?? "").line(atMost: 64)
        if id == detailsID {
            sources = nil
        } else if id == pending?.id {
            switch code {
            case "unauthorized": throw .notAdministrator
            case "unknown_command": throw isOld ? .tooOld(version: version) : .noBluetooth
            default: throw .refused(code: code)
            }
        }
    }

    /// Whether Home Assistant's version is one before ``firstVersion``; false if it cannot be read.
    private var isOld: Bool {
        let parts = version.split(at: ".").prefix(2).map { Int(digits: $0) ?? 0 }
        guard parts.count == 2 else { return false }
        return (parts[0], parts[1]) < Self.firstVersion
    }

    /// Handles what a subscription reports: radios, a history, or adverts.
    private mutating func handleEvent(
        _ message: HomeAssistantMessage, at now: ScanInstant, into heard: inout HomeAssistantNews
    ) throws(HomeAssistantError) {
        guard let id = message.id, let event = message.event else { return }
        if id == detailsID { return updateSources(from: event) }
        let items = event.add?.items ?? []
        var adverts = items.compactMap { HomeAssistantAdvert($0) }
        heard.malformed += (event.add?.malformed ?? 0) + items.count - adverts.count
        if id == pending?.id {
            noteHistory(of: id, at: now, nextAfter: Self.interval)
            adverts = history.take(adverts, at: now)
        } else if id == current {
            history.note(adverts, at: now)
        } else {
            return
        }
        heard.isCurrent = true
        if !adverts.isEmpty { lastAdvert = now }
        heard.adverts += adverts
    }

    /// Adds and removes radios. One that is added again may have another name.
    private mutating func updateSources(from event: HomeAssistantMessage.Happening) {
        guard var known = sources else { return }
        for item in (event.remove?.items ?? []) + (event.add?.items ?? []) {
            known.removeAll { source in item.radio?.utf8.elementsEqual(source.address.utf8) == true }
        }
        for item in event.add?.items ?? [] where known.count < Self.maximumSources {
            guard let address = item.radio else { continue }
            known.append(Source(address: address, name: (item.name ?? address).line(atMost: 80)))
        }
        sources = known
    }
}

/// The contents of a message from Home Assistant.
struct HomeAssistantNews {
    /// What counts as heard now.
    var adverts: [HomeAssistantAdvert] = []
    /// Adverts that could not be read.
    var malformed = 0
    /// Whether it is a history, or a report of the subscription whose history was processed.
    var isCurrent = false
}
