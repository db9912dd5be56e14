import Beacons
import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import StickerSheets

/// The calls for an owner's bikes and their beacons.
struct BikeCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    /// The limit of a bike's body in bytes: five texts, notes of 500 characters, and the dates and numbers of
    /// maintenance.
    private static let bikeLimit = 24 << 10

    func add(to calls: Calls<OwnerContext>) {
        addBikes(to: calls)
        addBeacons(to: calls)
        addParking(to: calls)
        addTransfers(to: calls)
    }

    private func addBikes(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/bikes", .manage, "Register a bike",
            """
            Without `identity` the registry allocates one; set the beacon to it. A given one must be proved: the \
            bike is `pending`, and its `identity` has another minor, which the registry chose at random. With `rotating` \
            the registry makes a key for a beacon that changes its identity every 17 minutes. `rotation.key` is \
            shown, also as a QR code, only in this answer, and again if the call is repeated with the same \
            `Idempotency-Key` while the bike has this beacon.
            """
        )
        .taking(Example.bikeDraft, upTo: Self.bikeLimit).once
        .refusing(
            .identitiesExhausted, .rotationUnavailable, .verificationNeeded, .beaconKeyUnreadable,
            .quotaReached(.bikes, most: 20)
        )
        .daily(.identities)
        .giving(
            .created, json: Example.rotatingBike, "The bike with its beacon’s identity or key.",
            headers: [.location, .eTag]
        )
        .responding { request in
            let bike = try await operations.registerBike(request.body, of: request.owner, once: request.once)
            let key = try await operations.keyOfRegistration(of: bike, for: request.owner)
            return try Self.answer(bike, key, request.http, status: .created, at: Self.path(of: bike))
        }

        calls.get(
            "/v1/bikes", .read, "List my bikes",
            "Also the bikes of others of which the caller is a member: these have a `role`."
        )
        .listing(Example.bike, "A page of bikes.") { try await store.bikes(of: $0.owner, $1) }

        calls.get("/v1/bikes/:bike", .read, "Show a bike")
            .showing(Example.bike, "The bike.") { try await requestedBike($0) }

        calls.patch(
            "/v1/bikes/:bike", .manage, "Change a bike’s description",
            """
            With `buyerCheck`, anyone who knows `serial` or `vin` can check while the bike is missing that it is \
            (`POST /v1/checks`): numbers of 4 to 40 letters and digits that not many bikes could have.
            """
        )
        .patching(BikePatch(["colours": .array(["red"]), "plate": .null]), upTo: Self.bikeLimit)
        .conditional("bike").needing(.manage).daily(.numbers, .bikeChanges)
        .showing(Example.bike, "The bike as it is now.") { request in
            let bike = try request.unchanged(await requestedBike(request))
            return try await operations.changeBike(bike, request.body, by: request.act(operations))
        }

        calls.delete("/v1/bikes/:bike", .manage, "Erase a bike")
            .conditional("bike").guarded.needing(.owner)
            .done("The bike was erased, with its reports and sightings.") { request in
                let bike = try request.unchanged(await requestedBike(request))
                try await operations.eraseBike(bike, by: request.act(operations))
            }

        calls.get("/v1/bikes/:bike/history", .read, "Show a bike’s history")
            .needing(.manage)
            .listing(Example.bikeEvent, "What happened to the bike, oldest first.") { request, page in
                try await store.history(of: try request.id("bike"), owner: request.owner, page)
            }
    }

    private func addBeacons(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/bikes/:bike/beacon", .manage, "Give a bike another beacon",
            """
            Without a body the registry allocates an identity; a given one must be proved; `rotating` makes a new key, \
            which only this answer shows; or two bikes exchange theirs. An abandoned identity is never used again.
            """
        )
        .taking(BeaconChange(), .optional).conditional("bike").needing(.owner)
        .refusing(
            .bikeMissing(Example.report.id), .beaconUnproved, .identitiesExhausted, .rotationUnavailable,
            .verificationNeeded
        )
        .daily(.identities)
        .giving(.ok, json: Example.bike, "The bike with its new identity.", headers: [.eTag])
        .responding { request in
            // If it is repeated after a lost response, If-Match refuses it, so it does not happen twice.
            let bike = try request.unchanged(await requestedBike(request))
            let change = request.body
            let changed = try await operations.changeBeacon(of: bike, change, by: request.act(operations))
            // An exchange makes no key: a caller with the owner's token must not learn an existing key later.
            let key = change.rotating == true ? try await operations.newKey(of: changed, for: request.owner) : nil
            return try Self.answer(changed, key, request.http)
        }

        calls.post(
            "/v1/bikes/:bike/beacon/test", .manage, "Test a beacon",
            """
            For \(BeaconTest.length.components.seconds / 60) minutes, or until a station hears the beacon, stations \
            listen for it; any other test of the caller ends. If the bike is `pending`, success proves that the beacon is \
            the caller’s: the bike can be reported missing, and all channels get a message. Otherwise `test.heard` says \
            when, but not where, and the beacon cannot be tested again for \
            \(BeaconTest.rest.components.seconds / 3600) hours. No effect on a missing bike or a rotating beacon.
            """
        )
        .takingNothing.needing(.owner).refusing(.ownerSuspended, .beaconStopped).daily(.tests, .hearings)
        .showing(Example.testedBike, "The bike.") { request in
            // Repeating it is safe: the time starts over.
            try await store.testBeacon(of: try request.id("bike"), by: request.act(operations))
        }

        calls.post(
            "/v1/bikes/:bike/beacon/check", .manage, "Check a rotating beacon’s clock",
            """
            Send what was heard near the bike just now. The beacon is found by what it sends, if its clock is at most \
            a day ahead and a year behind. A check at least every 180 days keeps the search exact. If the lag has \
            changed by more than two slots, the owner is notified; while the bike is missing, such a check is refused.
            """
        )
        .taking(BeaconCheck(identities: [Example.identity])).needing(.manage)
        .refusing(.beaconNotRotating, .beaconKeyUnreadable, .beaconClockDiffers)
        .showing(Example.bike, "The bike, with the `rotation` as measured.") { request in
            // Repeating it is safe: the last check counts.
            try await operations.checkBeacon(request.body, of: try request.id("bike"), by: request.act(operations))
        }
    }

    private func addParking(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/parking"
        calls.put(
            path, .report, "Say where a bike is left",
            """
            Only the owner sees it, with the bike. It replaces what was said before, and is deleted after \
            \(ParkedPlace.retention.wholeDays) days.
            """
        )
        .taking(ParkingDraft(place: Example.place)).needing(.owner).daily(.parkings)
        .showing(Example.bike, "The bike.") { request in
            try await store.parkBike(try request.id("bike"), at: request.body.place, by: request.act(operations))
        }

        calls.delete(path, .report, "Forget where a bike is left").needing(.owner)
            .showing(Example.bike, "The bike.") { request in
                try await store.forgetParking(of: try request.id("bike"), by: request.act(operations))
            }
    }

    private func addTransfers(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/bikes/:bike/transfer", .manage, "Offer a bike to a new owner",
            "Not possible while the bike is missing, or in the seven days after."
        )
        .takingNothing.guarded.needing(.owner)
        .refusing(.bikeMissing(Example.report.id), .missingRecently(until: Example.evening))
        .refusing(.beaconUnproved, .ownerSuspended)
        .daily(.transferOffers)
        .answering(
            Example.transfer, "The new owner’s code, which is shown only once.", status: .created
        ) { request in
            // Repeating it is safe: only the newest code works.
            try await operations.offerTransfer(of: try request.id("bike"), by: request.act(operations))
        }

        calls.post("/v1/transfers", .manage, "Take a bike over")
            .taking(TransferAcceptance(code: Example.code)).once
            .refusing(.codeUnusable, .bikeMissing(Example.report.id), .quotaReached(.bikes, most: 20))
            .refusing(.missingRecently(until: Example.evening), .beaconUnproved, .ownerSuspended, .verificationNeeded)
            .giving(.created, json: Example.bike, "The bike, which is the caller’s now.", headers: [.location, .eTag])
            .responding { request in
                let bike = try await operations.acceptTransfer(
                    request.body, by: request.act(operations), once: request.once)
                return try .tagged(bike, for: request.http, status: .created, at: Self.path(of: bike))
            }
    }

    /// The path of a bike, for `Location`.
    static func path(of bike: Bike) -> String { "/v1/bikes/\(bike.id)" }

    /// The bike in the path, as the caller sees it.
    private func requestedBike(_ request: CallRequest<OwnerContext, some Sendable>) async throws -> Bike {
        try await operations.bike(try request.id("bike"), of: request.owner)
    }

    /// A bike with its new beacon. The key of a rotating beacon is shown only here, and the entity tag does not cover
    /// it.
    ///
    /// - Parameters:
    ///   - key: the new key of a rotating beacon; nil if there is none to show.
    ///   - location: the path of a new bike.
    private static func answer(
        _ bike: Bike, _ key: RotatingBeaconKey?, _ request: Request, status: HTTPResponse.Status = .ok,
        at location: String? = nil
    ) throws -> Response {
        var shown = bike
        if let key {
            shown.rotation?.key = key.hexadecimal
            shown.rotation?.keyCode = QRCode(key.hexadecimal)?.svg
        }
        return try .tagged(shown, as: bike, for: request, status: status, at: location)
    }
}
