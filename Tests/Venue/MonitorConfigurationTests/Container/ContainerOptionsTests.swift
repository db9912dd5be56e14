import Foundation
import TestSupport
import Testing

@testable import MonitorConfiguration

@Suite("The options of a container")
struct ContainerOptionsTests {
    @Test("the options of an app become settings, and empty ones are not set")
    func app() throws {
        let options = try ContainerOptions(
            Data(
                #"""
                {"registry": " registry.example.org ", "code": "7KQ2M-XW9TC", "report": "always", "partners": false,
                 "place": "home_assistant", "alarms": false, "contact": "", "log_level": "debug", "later": [1]}
                """#.utf8))
        #expect(options.registry == "registry.example.org" && options.code == "7KQ2M-XW9TC")
        #expect(options.isAtHome && !options.alarmsHome)
        #expect(options.settings == ["report": "always", "partners": "false", "log.level": "debug"])
        // Those of an earlier version leave the choice to the monitor.
        #expect(try ContainerOptions(Data("{}".utf8)).settings.isEmpty)
    }

    @Test("without options, the registry and the code are in the environment")
    func environment() {
        let options = ContainerOptions(environment: [
            "FINDMYBIKE_REGISTRY_URL": "https://registry.example.org", "FINDMYBIKE_CODE": "7KQ2M", "HOME": "/",
        ])
        #expect(options.registry == "https://registry.example.org" && options.code == "7KQ2M")
        #expect(options.settings.isEmpty && !options.isAtHome && !options.alarmsHome)
        #expect(ContainerOptions(environment: ["FINDMYBIKE_CODE": " "]).code == nil)
    }

    @Test("an error names the options that people set, and not the variables that they became")
    func names() {
        #expect(
            ContainerOptions.named(in: "FINDMYBIKE_REGISTRY_URL: ‘x’ is invalid; set FINDMYBIKE_LOG_LEVEL")
                == "the option ‘registry’: ‘x’ is invalid; set the option ‘log_level’")
    }

    @Test(
        "a file that is not what the Supervisor writes is refused",
        arguments: ["", "[]", #"{"code": 5}"#, #"{"partners": "no"}"#, "{"])
    func malformed(_ text: String) {
        #expect(throws: ContainerFailure.unreadableOptions) { try ContainerOptions(Data(text.utf8)) }
    }
}
