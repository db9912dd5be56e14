import HTTPClient
import Testing

@Suite("Internet addresses")
struct IPAddressTests {
    @Test(
        "addresses of private and special networks are not public",
        arguments: [
            .v4(0x7F00_0001), .v4(0x0A01_0203), .v4(0xAC10_0001), .v4(0xAC1F_FFFF), .v4(0xC0A8_0001),
            .v4(0xA9FE_A9FE), .v4(0x6440_0001), .v4(0x0000_0000), .v4(0xE000_0001), .v4(0xFFFF_FFFF),
            .v6(0, 1), .v6(0, 0), .v6(0xFE80_0000_0000_0000, 1), .v6(0xFC00_0000_0000_0000, 1),
            .v6(0xFD12_3456_789A_0000, 1), .v6(0xFF02_0000_0000_0000, 1), .v6(0x2001_0DB8_0000_0000, 1),
            .v6(0, 0x0000_FFFF_7F00_0001),  // ::ffff:127.0.0.1
            .v6(0x0064_FF9B_0000_0000, 0x0A00_0001),  // NAT64 to 10.0.0.1
            .v6(0x2002_7F00_0001_0000, 0),  // 6to4 of 127.0.0.1
            .v6(0x2001_0000_0000_0000, 1),  // Teredo
        ] as [IPAddress]
    )
    func notPublic(address: IPAddress) {
        #expect(!address.isPublic)
    }

    @Test(
        "addresses of the Internet are public",
        arguments: [
            .v4(0x0101_0101), .v4(0xAC0F_FFFF), .v4(0xAC20_0000), .v4(0xC0A7_FFFF), .v4(0x0B00_0000),
            .v4(0x643F_FFFF), .v4(0x6480_0000), .v4(0xDFFF_FFFF),
            .v6(0x2606_4700_0000_0000, 0x1111), .v6(0x2A00_0000_0000_0000, 1),
            .v6(0, 0x0000_FFFF_0101_0101), .v6(0x0064_FF9B_0000_0000, 0x0101_0101),
        ] as [IPAddress]
    )
    func isPublic(address: IPAddress) {
        #expect(address.isPublic)
    }

    @Test("addresses print as people write them")
    func description() {
        #expect("\(IPAddress.v4(0xC0A8_0102))" == "192.168.1.2")
        #expect("\(IPAddress.v6(0x2001_0DB8_0000_0000, 1))" == "2001:db8:0:0:0:0:0:1")
    }
}
