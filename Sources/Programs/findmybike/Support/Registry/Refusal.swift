import Foundation
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

/// A refusal by the registry, in words for the person who typed the command.
///
/// The registry's problem details are written for programs. Only this type translates them into the words of this
/// program, and their fields into the names of options.
struct Refusal {
    let text: String

    init(_ problem: ProblemDetails, retryAfter: Duration?) {
        if let fields = problem.errors, !fields.isEmpty {
            text = fields.map(Self.sentence).joined(separator: "; ")
        } else {
            text = Self.sentence(problem, Self.wait(retryAfter))
        }
    }

    private static func sentence(_ problem: ProblemDetails, _ wait: String) -> String {
        let name = problem.name ?? ""
        switch name {
        case "insufficient-scope": return scope(problem)
        case "missing-recently":
            return "a bike cannot be transferred within 7 days of being missing: try again \(time(in: problem.detail))"
        case "too-many-requests", "too-many-messages":
            return "too many requests: try again \(wait)"
        case "overloaded": return "the registry is busy, and nothing was changed: try again \(wait)"
        default: return sentences[name] ?? (isForPrograms(name) ? misunderstood : TerminalText.line(problem.detail))
        }
    }

    private static let sentences: [String: String] = [
        "unauthenticated":
            "the registry does not know your token: it was revoked or mistyped. ‘findmybike login URL --replace’ uses "
            + "another. An owner makes one from a recovery code, with ‘findmybike owner recover CODE --replace’; an operator "
            + "asks another operator",
        "forbidden":
            "your token is for other commands: bikes, channels, sightings and messages need an owner’s, stations, partners and "
            + "the audit an operator’s. Choose another with --token-file",
        "identity-taken":
            "another bike of this registry has or had a beacon with this identity: it cannot be given to a second one",
        "identities-exhausted": "the registry has no identities left: ask its operator",
        "report-already-open":
            "the bike is already marked missing: ‘findmybike report list’ shows since when, ‘findmybike bike found’ "
            + "ends it",
        "report-already-closed": "the report is already closed: ‘findmybike bike missing’ opens a new one",
        "code-unusable":
            "the code is mistyped, used or too old: type it again. If it is a recovery code, try another one; "
            + "if not, ask for a new code",
        "recovery-code-needed":
            "a bike of yours is missing, and a thief may have your token: add --recovery-code CODE, one of your "
            + "recovery codes",
        "displays-full": "the station has as many displays as it may: revoke one that is no longer used",
        "invitation-needed":
            "this registry accepts new owners only by invitation: ask its operator for one, and add --invitation CODE",
        "changed-meanwhile": "somebody else has changed it at the same time: check it, and repeat the command",
        "rotation-unavailable":
            "this registry has no rotating beacons: leave out --rotating, or ask its operator, who makes a key with "
            + "‘findmybike-registry key create-beacons --key-file FILE’ and sets beacons.keyFile",
        "beacon-clock-differs":
            "the beacon’s clock differs from the last check, and while the bike is missing the registry accepts no such check: "
            + "do not close the report for this, but check again when you have the bike back",
        "beacon-key-unreadable":
            "the registry cannot read the key of this beacon, so stations cannot hear it: ask the registry’s operator to "
            + "restore the key file; with your own copy of the key, ‘findmybike find’ still works",
        "beacon-not-rotating": "the bike’s beacon has a fixed identity, which has no clock to check",
        "beacon-unproved":
            "the bike’s beacon has not been tested yet: run ‘findmybike bike test’ near a station, or ask the registry’s "
            + "operator to accept it as it is",
        "beacon-stopped":
            "the registry’s operator has stopped searches for this beacon: write to the operator",
        "bike-missing": "the bike is marked missing: close its report first, with ‘findmybike bike found’",
        "channel-unverified":
            "nobody has confirmed the address yet: open the link in the message that was sent there, or ask for another "
            + "one with ‘findmybike channel verify’",
        "channel-verified": "the address is already confirmed: ‘findmybike channel test’ tries it",
        "token-in-use": "the token was already made and has been used: repeat the command to make another",
        "invitation-accepted": "a station has enrolled with this invitation: make another one",
        "idempotency-key-reused": "the registry mistook this for another request: repeat the command",
        "signing-key-missing":
            "the registry has no key to sign with: its operator makes one with ‘findmybike-registry key create --key-file "
            + "FILE’ and sets evidence.keyFile",
        "export-running": "another export of your data is being read: try again when it has ended",
        "place-lost":
            "others are sending photos to the registry too, and this one was the slowest: try again later, or over a faster line",
        "too-many-streams": "too many programs are following sightings: stop another ‘--follow’",
        "outcome-unknown":
            "the registry does not know whether it stored this, since it lost its database: check, and repeat the command "
            + "if it did not",
        "storage-unavailable":
            "the registry cannot store anything now: check later whether your change was stored. Its log says why",
        "too-large": "that is more than the registry accepts at once: make it shorter",
        "too-slow": "the registry gave up waiting: the connection is slow. Try again",
        "unreadable-body": "the connection broke: try again",
    ]

    private static let misunderstood =
        "the registry and this program do not understand each other: one of them is older. Compare ‘findmybike --version’ "
        + "with the registry’s, and update"

    /// Whether only a change to the program could correct the problem.
    private static func isForPrograms(_ name: String) -> Bool {
        [
            "malformed-json", "wrong-media-type", "method-not-allowed", "invalid-page", "invalid-idempotency-key",
            "invalid-query", "invalid-time", "not-acceptable", "precondition-required", "invalid-wait",
            "wait-displaced",
            "header-too-large", "malformed-request",
        ].contains(name)
    }

    /// A sentence about the scope that a token needs, which the registry's detail names.
    private static func scope(_ problem: ProblemDetails) -> String {
        let needed = TokenScope.allCases.first { problem.detail.has("‘\($0.rawValue)’") } ?? .manage
        return
            "this token may not do that: you need one with the scope ‘\(needed.rawValue)’. --token-file names "
            + "another, ‘findmybike owner token create NAME --scope \(needed.rawValue) --output FILE’ makes one"
    }

    /// When to try again, as the end of a sentence.
    private static func wait(_ delay: Duration?) -> String {
        guard let seconds = delay?.components.seconds, seconds > 0 else { return "later" }
        return seconds < 120 ? "in \(seconds) seconds" : "in \((seconds + 59) / 60) minutes"
    }

    /// “After” and the first time in a text, in the user's time zone; “later” if there is none.
    private static func time(in text: String) -> String {
        let words = text.split(at: " ").lazy.map { $0.trimmingCharacters(in: .punctuationCharacters) }
        let first = words.compactMap { Timestamp($0) }.first
        return first.map { "after \($0.local)" } ?? "later"
    }
}

// MARK: - Fields

extension Refusal {
    /// A sentence about a field, such as “--make must be a text of 1 to 64 characters”.
    private static func sentence(_ field: FieldError) -> String {
        if let known = known(field) { return known }
        let detail = TerminalText.line(field.detail).replacing(text: "; send null to remove it", with: "")
            .replacing(text: "; send null for no quiet hours", with: "")
        return "\(option(field.pointer)) \(detail)"
    }

    /// A sentence about a field that has no option.
    private static func known(_ field: FieldError) -> String? {
        if field.pointer == "/kind", field.detail.begins(with: "is not offered") {
            let remedy = field.detail.has("offers:") ? "add one of these, or ask its operator" : "ask its operator"
            return "this kind of channel \(TerminalText.line(field.detail)): \(remedy)"
        }
        if field.pointer == "/identities" {
            return "the bike’s beacon is not among what was heard: go nearer, check the battery, and try again"
        }
        if field.pointer == "/policeReference", field.detail.has("reference now") {
            return "the report now has another reference: check it with ‘findmybike owner review OWNER’"
        }
        return nil
    }

    /// The option for the field at a JSON pointer: `--police-reference` for `/policeReference`.
    private static func option(_ pointer: String) -> String {
        let path = pointer.split(at: "/").map(String.init).filter { Int($0) == nil }
        guard let last = path.last else { return "what was given" }
        if let name = options[last] ?? options[path[0]] { return name }
        return "--" + TerminalText.line(last).map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// The options with names that differ from their fields.
    private static let options = [
        "colours": "--colour", "missingSince": "--since", "heldUntil": "--hold-until", "url": "the address",
        "tellsAppearance": "--hide-appearance", "recoveredBy": "--by", "code": "the code",
        "accessToken": "--access-token-file",
        "quietHours": "--quiet-hours", "exchangedWith": "--with", "name": "the name", "keys": "the subscription",
        "endpoint": "the subscription", "message": "--message", "contact": "--contact", "text": "the message",
        "number": "the number", "report": "the reason", "publicKey": "--key",
    ]
}
