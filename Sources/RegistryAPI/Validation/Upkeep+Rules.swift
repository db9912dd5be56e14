extension BikeUpkeep {
    static let numberLength = 0...64
    static let lifeInMonths = 1...120

    static var rule: FieldRule<BikeUpkeep> {
        .object("an object with the dates of a bike") { fields in
            BikeUpkeep(
                inspectionDue: fields.optional("inspectionDue", .calendarDate),
                insuranceEnds: fields.optional("insuranceEnds", .calendarDate),
                taxDue: fields.optional("taxDue", .calendarDate),
                breakdownCoverEnds: fields.optional("breakdownCoverEnds", .calendarDate),
                breakdownCoverNumber: fields.optional("breakdownCoverNumber", .text(numberLength)),
                battery: fields.optional("battery", .choice),
                batteryFitted: fields.optional("batteryFitted", .calendarDate),
                batteryMonths: fields.optional("batteryMonths", .integer(lifeInMonths))
            )
        }
    }
}

extension BikeUpkeepPatch {
    static var rule: FieldRule<BikeUpkeepPatch> {
        .object("an object with the dates to change") { fields in
            BikeUpkeepPatch(
                inspectionDue: fields.change("inspectionDue", .calendarDate),
                insuranceEnds: fields.change("insuranceEnds", .calendarDate),
                taxDue: fields.change("taxDue", .calendarDate),
                breakdownCoverEnds: fields.change("breakdownCoverEnds", .calendarDate),
                breakdownCoverNumber: fields.change("breakdownCoverNumber", .text(BikeUpkeep.numberLength)),
                battery: fields.change("battery", .choice),
                batteryFitted: fields.change("batteryFitted", .calendarDate),
                batteryMonths: fields.change("batteryMonths", .integer(BikeUpkeep.lifeInMonths))
            )
        }
    }
}

extension FieldRule where Value == CalendarDate {
    static var calendarDate: FieldRule {
        value("a date as in 2027-03-31", .calendarDate) { value in
            guard case .string(let text) = value, text.first != "0" else { return nil }
            return CalendarDate(text)
        }
    }
}

extension FieldRule where Value == TimeOfDay {
    static var timeOfDay: FieldRule {
        value("a time of day as in 22:30", .timeOfDay) { value in
            if case .string(let text) = value { TimeOfDay(text) } else { nil }
        }
    }
}

extension FieldRule where Value == QuietHours {
    static var quietHours: FieldRule {
        object("an object with from and to") { fields in
            let from = fields.required("from", .timeOfDay)
            let to = fields.required("to", .timeOfDay)
            guard let from, let to else { return nil }
            guard from != to else {
                fields.refuse("to", "must not be the same as from; send null for no quiet hours")
                return nil
            }
            return QuietHours(from: from, to: to)
        }
    }
}
