import Testing

@testable import Diagnosis

@Suite("Redaction for a supporter")
struct RedactionTests {
    @Test(
        "secrets are removed wherever they occur",
        arguments: [
            ("token fmb_station_7f3KQ2MXW9TC4HJ6DPPZ0A7f3KQ2MXW9TC4HJ6DPPZ0Ax refused", "token [token] refused"),
            ("enrol https://a.example 7KQ2M-XW9TC-4HJ6D-PPZ0A", "enrol https://a.example [code]"),
            ("enrol 7kq2m-xw9tc-4hj6d-ppz0a", "enrol [code]"),
            ("GET https://me:pass@a.example/x", "GET https://[secret]@a.example/x"),
            ("Authorization: Bearer abcdefgh.ijk", "Authorization: Bearer [secret]"),
            ("wifi password=hunter2 up", "wifi password=[secret] up"),
            (#"{"secret":"whsec_x","a":1}"#, #"{"secret":[secret],"a":1}"#),
            ("GET /bikes?key=abc&x=1", "GET /bikes?key=[secret]&x=1"),
            ("beacon=7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:20815 rssi=-49", "beacon=[beacon] rssi=-49"),
            ("opened with correct-horse-battery", "opened with [secret]"),
        ])
    func secrets(text: String, redacted: String) {
        #expect(Redaction(secrets: ["correct-horse-battery", "a"]).redacted(text) == redacted)
    }

    @Test(
        "details that a supporter needs are kept",
        arguments: [
            "station.tokenFile: /etc/findmybike/station-token",
            "2026-11-21T13:00:00+0000 pi findmybike-monitor[412]: hci0",
            "visit=019AA3B4-2C11-7C52-9C0D-1F2E3D4C5B6A frames=2", "version 1.0.0, list 17",
        ])
    func rest(text: String) {
        #expect(Redaction().redacted(text) == text)
    }
}
