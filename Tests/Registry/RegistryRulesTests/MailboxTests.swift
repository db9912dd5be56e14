import RegistryRules
import Testing

@Suite("Mailboxes")
struct MailboxTests {
    @Test(
        "spellings that many servers treat as equal are one mailbox",
        arguments: ["jodoe@example.org", "Jo.Doe@EXAMPLE.org", "j.o.d.o.e+bikes+2@example.org"]
    )
    func same(address: String) { #expect(Mailbox.digest(of: address) == Mailbox.digest(of: "jo.doe@example.org")) }

    @Test(
        "other spellings are different mailboxes",
        arguments: ["jodoe@example.net", "jodoe@exampleorg", "jadoe@example.org", "jodoe", ""]
    )
    func other(address: String) { #expect(Mailbox.digest(of: address) != Mailbox.digest(of: "jodoe@example.org")) }
}
