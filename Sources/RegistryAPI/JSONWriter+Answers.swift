public import Beacons

extension VisitBatchResult: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in json.member("results") { $0.array(results) { $1.write(to: &$0) } } }
    }
}

extension VisitResult: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            if let errors { json.member("errors") { $0.array(errors) { $1.write(to: &$0) } } }
            if let id { json.member("id", id) }
            if let lookFor { json.member("lookFor") { lookFor.write(to: &$0) } }
            json.member("result", result.rawValue)
        }
    }
}

extension FieldError: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("detail", detail)
            json.member("pointer", pointer)
        }
    }
}

extension BikeAppearance: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("colours", colours)
            json.member("kind", kind.rawValue)
            json.member("make", make)
            json.member("model", model)
        }
    }
}

extension Bike: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("colours", colours)
            json.member("created") { $0.string(created.description) }
            json.member("id", id)
            json.member("identity") { identity.write(to: &$0) }
            json.member("kind", kind.rawValue)
            json.member("make", make)
            json.member("model", model)
            json.member("notes", notes)
            if let openReport { json.member("openReport", openReport) }
            if let pending { json.member("pending") { pending.write(to: &$0) } }
            json.member("plate", plate)
            json.member("serial", serial)
            if let upkeep { json.member("upkeep") { upkeep.write(to: &$0) } }
            json.member("vin", vin)
            if let year { json.member("year", year) }
        }
    }
}

extension PendingBeacon: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            if let claimed { json.member("claimed") { claimed.write(to: &$0) } }
            json.member("testEnds", testEnds?.description)
        }
    }
}

extension BikeUpkeep: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("battery", battery?.rawValue)
            json.member("batteryFitted", batteryFitted?.description)
            if let batteryMonths { json.member("batteryMonths", batteryMonths) }
            json.member("breakdownCoverEnds", breakdownCoverEnds?.description)
            json.member("breakdownCoverNumber", breakdownCoverNumber)
            json.member("inspectionDue", inspectionDue?.description)
            json.member("insuranceEnds", insuranceEnds?.description)
            json.member("taxDue", taxDue?.description)
        }
    }
}

extension BeaconIdentity: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("major", major)
            json.member("minor", minor)
            json.member("uuid", uuid.description)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ colours: [BikeColour]) {
        member(name) { $0.array(colours) { $0.string($1.rawValue) } }
    }
}
