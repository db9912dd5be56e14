import Testing

@Suite("findmybike bike check, at a running registry", .timeLimit(.minutes(20)))
struct CheckTests {
    @Test("an owner allows the check, a buyer without an account gets the answer, and nothing is logged of the number")
    func life() async throws {
        let registry = try await LiveRegistry("log:\n  level: trace\n")
        let (owner, buyer) = (registry.person("owner"), registry.person("buyer"))
        _ = try await owner.output("owner", "create")
        let bike = [
            "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red", "--buyer-check",
        ]
        let common = await owner.run(bike + ["--serial", "0000"])
        #expect(common.status != 0 && common.errors.contains("serial number"), "\(common.errors)")
        let registered = await owner.run(bike + ["--serial", "WTU 123"])
        #expect(registered.status == 0, "\(registered.errors)")
        #expect(try await owner.output("bike", "show").contains("can check these numbers"))
        _ = try await owner.output("bike", "missing")
        let found = try await buyer.output("bike", "check", "wtu-123")
        #expect(found.contains("has been reported as missing here") && found.contains("does not prove"))
        let misread = try await buyer.output("bike", "check", "WTU I23")
        #expect(misread.contains("Perhaps") && misread.contains("WTU123, which differs in:"))
        #expect(misread.contains("character 4: you entered I (the letter), it has 1 (the digit one)"))
        _ = try await owner.output("bike", "edit", "--no-buyer-check")
        #expect(try await buyer.output("bike", "check", "WTU123").contains("This proves nothing"))
        #expect(try await buyer.output("bike", "check", "WTU123", "--json").contains("false"))
        let wrong = await buyer.run("bike", "check", "12")
        #expect(wrong.status != 0 && wrong.errors.contains("4 to 40"), "\(wrong.errors)")
        let written = await registry.stop()
        #expect(written.contains("/v1/checks") && !written.uppercased().contains("WTU"))
    }
}
