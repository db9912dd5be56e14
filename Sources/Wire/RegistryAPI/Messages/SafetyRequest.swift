public import Beacons

/// What somebody who feels followed has written to the operator.
public struct SafetyRequest: Codable, Hashable, Sendable {
    public var id: SafetyRequestID
    public var received: Timestamp
    /// What the beacon sent when it was read; absent if it was not read.
    public var beacon: BeaconIdentity?
    /// Plain text, 1–500 characters, with line breaks.
    public var text: String
    /// Whose bike has this beacon; absent if no bike has it now. A rotating beacon is recognised only by what it sent
    /// while its bike was missing.
    public var owner: OwnerID?
    /// Since when an operator keeps the beacon off the missing list; absent if it may be searched for.
    public var stopped: Timestamp?
    public var closed: Timestamp?
    /// What the operator answered; absent if there is no answer.
    public var answer: String?

    public init(
        id: SafetyRequestID, received: Timestamp, beacon: BeaconIdentity? = nil, text: String, owner: OwnerID? = nil,
        stopped: Timestamp? = nil, closed: Timestamp? = nil, answer: String? = nil
    ) {
        self.id = id
        self.received = received
        self.beacon = beacon
        self.text = text
        self.owner = owner
        self.stopped = stopped
        self.closed = closed
        self.answer = answer
    }
}

/// Body of `PUT /v1/safety-requests/{request}/closure`.
public struct SafetyClosure: Codable, Hashable, Sendable {
    /// What the person can read on the page of the request, 1–500 characters; absent for no answer.
    public var answer: String?

    public init(answer: String? = nil) { self.answer = answer }
}

extension SafetyClosure: WireObject {
    public static let blank = SafetyClosure()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("answer", &answer, .text(MessageRules.length, multiline: true))
    }
}
