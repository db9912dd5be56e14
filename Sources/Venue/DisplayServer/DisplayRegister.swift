import Crypto
import Foundation
public import Logging
import OperatingSystem
public import RegistryAPI
public import StationStatus

/// The displays that this monitor serves itself, and what the registry's operator allows. Both survive a restart. Only
/// hashes of their secrets are kept.
public actor DisplayRegister: DisplayDesk {
    /// A display as the file has it.
    struct Display: Codable, Hashable {
        var id: DisplayID
        var name: String
        /// SHA-256 of its secret.
        var digest: Data
        var created: Timestamp
        var lastUsed: Timestamp?
    }

    private struct Contents: Codable {
        /// What the registry last allowed; nil if it does not.
        var terms: DisplayTerms?
        var displays: [Display] = []
    }

    /// A code that was made, and later the attempt that used it.
    private struct Code {
        let id: DisplayID
        let name: String
        /// SHA-256 of the code.
        let digest: Data
        let ends: ContinuousClock.Instant
        /// The attempt's identifier; nil until one has used the code, and empty if it had none.
        var attempt: String?
    }

    /// A use is written this often: each write wears the memory card.
    static let useResolution = Duration.days(1)

    private let path: String
    /// The address for the link in a new code; nil if the screen needs another one.
    private let url: String?
    private let wallTime: @Sendable () -> (time: Timestamp, isCertain: Bool)
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private var generator: any RandomNumberGenerator & Sendable
    private var contents = Contents()
    /// The last code that was made; nil once it cannot be used any longer.
    private var code: Code?
    /// Why the server does not listen; nil while it does.
    private var obstacle: String?
    /// Whether the file lacks something that has changed.
    private var isUnsaved = false

    /// Reads the file. A damaged one counts as empty: its screens are paired again.
    ///
    /// - Parameters:
    ///   - path: the file; a missing one is empty.
    ///   - url: the address at which this monitor serves displays.
    ///   - wallTime: the best estimate of the time, and whether it is known.
    ///   - now: the time since boot.
    public init(
        path: String, url: String?, wallTime: @escaping @Sendable () -> (time: Timestamp, isCertain: Bool),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger
    ) {
        self.path = path
        self.url = url
        self.wallTime = wallTime
        self.now = now
        self.generator = generator
        self.logger = logger
        guard let data = FileManager.default.contents(atPath: path) else { return }
        do {
            contents = try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            logger.warning(
                "the displays cannot be read: pair them again", metadata: ["file": "\(path)", "reason": "\(error)"])
        }
    }

    /// What the registry allows; nil if displays may not be served here.
    var terms: DisplayTerms? { contents.terms }

    /// Takes over why the server does not listen; nil if it does.
    func note(_ obstacle: String?) { self.obstacle = obstacle }

    /// Takes over what the registry allows. Without its permission no display shows anything, and codes end.
    public func update(_ terms: DisplayTerms?) {
        guard terms != contents.terms else { return }
        contents.terms = terms
        if terms == nil { code = nil }
        logger.notice(
            terms == nil
                ? "the registry does not allow displays of this monitor"
                : "the registry allows displays of this monitor")
        save()
    }
}

// The venue.
extension DisplayRegister {
    public func add(name: String?) throws(DisplayRefusal) -> DisplayCode {
        guard contents.terms != nil else { throw .notAllowed }
        if let obstacle { throw .notServed(obstacle) }
        let name = name ?? "Display"
        guard (1...64).contains(name.unicodeScalars.count),
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .invalidName }
        dropUnused()
        guard contents.displays.count < DisplayRules.most else { throw .full }
        let made = OneTimeCode(groups: DisplayRules.codeGroups, using: &generator)
        let time = wallTime().time
        let id = DisplayID(at: time, using: &generator)
        code = Code(
            id: id, name: name, digest: Self.digest(of: made.plain), ends: now().advanced(by: DisplayRules.codeLifetime)
        )
        return DisplayCode(
            display: id, code: made.text, expires: time.advanced(by: DisplayRules.codeLifetime),
            link: url.map { "\($0)/display#\(made.text)" })
    }

    public func displays() -> [VenueDisplay] {
        dropUnused()
        return contents.displays.map { display in
            VenueDisplay(
                id: display.id, name: display.name, created: display.created, paired: display.created,
                lastUsed: display.lastUsed,
                expires: (display.lastUsed ?? display.created).advanced(by: DisplayRules.lifetime))
        }
    }

    public func revoke(_ id: DisplayID) throws(DisplayRefusal) -> Bool {
        let count = contents.displays.count
        contents.displays.removeAll { $0.id == id }
        guard contents.displays.count < count || isUnsaved else { return false }
        save()
        // It has ended; but after a restart it would be back.
        guard !isUnsaved else { throw .notSaved }
        return true
    }

    /// Ends displays that have not been used for a year. A clock that may be wrong ends none.
    private func dropUnused() {
        let (time, isCertain) = wallTime()
        guard isCertain else { return }
        let before = contents.displays.count
        contents.displays.removeAll { display in
            (display.lastUsed ?? display.created).advanced(by: DisplayRules.lifetime) <= time
        }
        if contents.displays.count != before { save() }
    }
}

// The screens.
extension DisplayRegister {
    /// Exchanges a code for the secret of a display.
    ///
    /// - Parameters:
    ///   - attempt: a random identifier: repeating it replaces a secret whose response was lost, as long as the secret
    ///     has not been used.
    ///   - former: the secret that the screen has; its display ends.
    /// - Returns: nil for a code that is wrong, used or too old.
    func pair(_ typed: String, attempt: String?, former: String?) -> String? {
        guard let code, code.digest == Self.digest(of: OneTimeCode(typed: typed).plain), now() < code.ends else {
            return nil
        }
        let earlier = contents.displays.first { $0.id == code.id }
        if code.attempt != nil || earlier != nil {
            guard let attempt, !attempt.isEmpty, attempt == code.attempt, earlier != nil else { return nil }
        }
        let secret = Base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).text
        let replaced = former.map(Self.digest)
        contents.displays.removeAll { $0.id == code.id || $0.digest == replaced }
        guard contents.displays.count < DisplayRules.most else { return nil }
        contents.displays.append(
            Display(id: code.id, name: code.name, digest: Self.digest(of: secret), created: wallTime().time))
        // Without an identifier the attempt cannot be repeated.
        self.code?.attempt = attempt ?? ""
        logger.info("display paired", metadata: ["display": "\(code.name)"])
        save()
        return secret
    }

    /// What the registry allows, for a screen with a valid secret; nil without one, and without permission.
    func open(_ secret: String?) -> DisplayTerms? {
        guard let terms = contents.terms, let secret else { return nil }
        let digest = Self.digest(of: secret)
        guard let index = contents.displays.firstIndex(where: { $0.digest == digest }) else { return nil }
        // Its secret has arrived, so its code cannot be repeated.
        if code?.id == contents.displays[index].id { code = nil }
        let (time, isCertain) = wallTime()
        var isChanged = false
        // A use at a wrong time could end the display later, when the time is known.
        if isCertain {
            let last = contents.displays[index].lastUsed
            if let last, last.advanced(by: DisplayRules.lifetime) <= time {
                dropUnused()
                return nil
            }
            let isDue = if let last { last.advanced(by: Self.useResolution) <= time } else { true }
            if isDue {
                contents.displays[index].lastUsed = time
                isChanged = true
            }
        }
        if isChanged || isUnsaved { save() }
        return terms
    }

    private static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Writes the file. If the disk cannot be written to, the displays still work, and the next use tries it again.
    private func save() {
        let wasUnsaved = isUnsaved
        isUnsaved = true
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try DurableFile.put(Array(try encoder.encode(contents)), at: path)
            isUnsaved = false
        } catch {
            // One line, not one per attempt.
            guard !wasUnsaved else { return }
            logger.warning("the displays cannot be saved", metadata: ["file": "\(path)", "reason": "\(error)"])
        }
    }
}
