import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// The check of a bike's number before buying.
    static var checks: [Operation] {
        let text = JSONSchema.type("string")
        return [
            Operation(
                .post, CheckRoutes.api, "Check a bike’s number before buying it",
                """
                `missing` is true if stations search for a bike with exactly this serial number or VIN, and its owner \
                allows the check. Case, spaces, dots, hyphens and slashes make no difference. `similar` has the numbers \
                of such bikes that differ only in characters that are easily misread: O and 0, I, L and 1; in a number of \
                17 characters, as a VIN has, also Q and 0. Read the number on the bike again, and check the right one. \
                Neither answer proves anything: most bikes are in no register, and two bikes can have the same number. A \
                message to the owner can be left on the page `\(CheckRoutes.form)`.
                """
            )
            .taking(NumberCheckDraft.rule(now:), NumberCheckDraft(number: "WTU 123 CO456 K"))
            .giving(
                .ok,
                NumberCheck(
                    missing: false,
                    similar: [
                        SimilarNumber(
                            number: "WTU123C0456K", differences: [.init(position: 8, checked: "O", reported: "0")])
                    ]), "The answer, which proves nothing."
            )
            .refusing(RequestError.crossSite),
            Operation(.get, CheckRoutes.form, "Show the form for a bike’s number")
                .givingPage(.ok, "A form for people.").asPage,
            Operation(
                .post, CheckRoutes.form, "Check a bike’s number on a page", "As `POST \(CheckRoutes.api)`, for people."
            )
            .takingForm("CheckedNumber", ["number": text], required: ["number"])
            .givingPage(
                .ok,
                "A page with the answer; if the bike is missing, with a form for a message to its owner, and if only a bike with a similar number is, with what differs."
            )
            .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage,
            Operation(
                .post, CheckRoutes.message, "Write to the owner of a missing bike whose number was checked",
                """
                It begins a conversation as `POST \(FinderRoutes.form)` does. If several missing bikes have the number, \
                at most \(NumberCheckRules.mostBikes) owners get the message, in separate conversations.
                """
            )
            .takingForm(
                "BuyerMessage", ["number": text, "message": text, "key": text], required: ["number", "message"]
            )
            .givingPage(.ok, "No missing bike has the number any more: nothing was written.")
            .giving(.seeOther, "It is sent; the conversation’s page follows.", [.location])
            .givingPage(.accepted, "It is sent to several owners: a page with the addresses of the conversations.")
            .givingPage(.unprocessableContent, "The form, with what is wrong.").asPage,
            Operation(.get, CheckRoutes.message, "Go on to the form for a bike’s number")
                .giving(.seeOther, "The form follows.", [.location]),
        ]
    }
}
