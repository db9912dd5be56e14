import Crypto
import Foundation
import TestSupport
import Testing

@testable import WebPages

@Suite("Files of the web pages")
struct WebPagesTests {
    private static let folder = URL(filePath: Repository.path("Sources/Web/WebPages/Files"))

    private let pages = WebPages.built

    private func text(_ path: String, language: String = "en") throws -> String {
        String(decoding: try #require(pages.file(at: path, language: language), "\(path)").bytes, as: UTF8.self)
    }

    @Test("a file that is not bundled is in the program unchanged, even one that is no text")
    func keepsContents() throws {
        for name in ["icon-192.png", "icon.svg", "vendor/leaflet/leaflet.js"] {
            let address = try #require(pages.address(of: name))
            let file = try #require(pages.file(at: address))
            #expect(file.bytes == [UInt8](try Data(contentsOf: Self.folder.appending(path: name))), "\(name)")
            #expect(file.isImmutable)
        }
    }

    @Test("each page is the shell, which names the files of its build")
    func servesTheShell() throws {
        let shell = try text("/my/bikes/01a203c0-10e1-70b7-b565-e8859429d886")
        let script = try #require(pages.address(of: "js/app.js"))
        #expect(shell.contains("src=\"\(script)\"") && shell.contains("skeleton bike"))
        for place in ["BUILD", "PRELOADS", "FILES", "SKELETON", "EARLY"] {
            for path in ["/my", "/display", "/desk", "/service-worker.js", "/manifest.webmanifest"] {
                #expect(try !text(path).contains(place), "\(path)")
            }
        }
        // The address of each file that a page names is one of this program.
        for path in ["/", "/my", "/display", "/desk", "/service-worker.js", "/manifest.webmanifest"] {
            let names = try text(path).matches(of: /\/assets\/[A-Za-z0-9._\/-]+/).map { String($0.output) }
            #expect(!names.isEmpty)
            for name in names { #expect(pages.file(at: name)?.isImmutable == true, "\(path): \(name)") }
        }
        #expect(pages.file(at: "/my")?.isImmutable == false)
    }

    @Test("the policy permits the script and the style sheet inside of the HTML")
    func hashesWhatIsInline() throws {
        let shell = try text("/my")
        func hash(_ text: Substring) -> String { Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString() }
        let script = try #require(shell.firstMatch(of: /<script>(.+?)<\/script>/)?.1)
        #expect(hash(script) == WebPages.inlineScriptHash)
        let style = try #require(shell.firstMatch(of: /<style>(.+?)<\/style>/)?.1)
        #expect(hash(style) == WebPages.inlineStyleHash)
    }

    /// The sources of the scripts that a page names.
    private func scripts(_ path: String, language: String = "en") throws -> Set<String> {
        let sources = Dictionary(BundledFile.all.map { ($0.path, $0.source) }) { first, _ in first }
        return Set(
            try text(path, language: language).matches(of: /rel="modulepreload" href="([^"]+)"/)
                .map { sources[String($0.1)] ?? "unknown" })
    }

    @Test("A page names the scripts that it loads, and no others")
    func namesScripts() throws {
        let trail = try scripts("/my/bikes/01a203c0-10e1-70b7-b565-e8859429d886")
        #expect(trail == ["js/app.js", "js/pages/bike.js", "js/text/en/first.js", "js/text/en/more.js", ""])
        #expect(try scripts("/", language: "de") == ["js/app.js", "js/pages/welcome.js", "js/text/de/first.js", ""])
        #expect(try scripts("/my/nothing") == ["js/app.js", "js/text/en/first.js", ""])
        #expect(
            try scripts("/desk") == [
                "js/desk/app.js", "js/desk/pages/overview.js", "js/text/en/first.js", "js/text/en/more.js",
                "js/text/en/problems.js", "js/text/en/desk.js", "",
            ])
    }

    @Test("The program and the browser choose the same module and texts for each page")
    func choosesTheSameModules() throws {
        var count = 0
        for area in ["", Modules.desk] {
            let source = try String(contentsOf: Self.folder.appending(path: "js/\(area)app.js"), encoding: .utf8)
            let routes = source.matches(of: /\[\/\^(.+?)\$\/, \(\) => import\("\.\/pages\/(.+?)\.js"\)(, "more")?\]/)
            for route in routes {
                let path = route.1.replacing("\\/", with: "/").replacing(/\(.+?\)/, with: "any")
                #expect(Modules.page(at: String(path)) == area + route.2, "\(path): add it to Modules.pages")
                #expect(
                    (route.3 == nil) == (!area.isEmpty || Modules.first.contains(String(route.2))),
                    "\(path): add it to Modules.first, or “more” to js/app.js")
            }
            count += routes.count
        }
        #expect(count >= Modules.pages.count)
    }

    @Test("Owners load nothing of the operator's desk, and the desk has a shell of its own")
    func keepsTheDeskApart() throws {
        // What desk and pages have in common is the same file.
        let others = Set(
            BundledFile.all.filter { $0.shell != Modules.deskShell && $0.source != "desk.css" }.map(\.path))
        let ofDesk = BundledFile.all.map(\.path).filter { !others.contains($0) }
        #expect(ofDesk.count > 10)
        for path in ["/", "/my", "/my/nothing", "/share", "/service-worker.js"] {
            let text = try text(path)
            for file in ofDesk { #expect(!text.contains(file), "\(path)") }
        }
        let (style, script) = (
            try #require(pages.address(of: "desk.css")), try #require(pages.address(of: "js/app.js"))
        )
        for path in ["/desk", "/desk/stations", "/desk/sign-in", "/desk/nothing"] {
            let shell = try text(path)
            #expect(shell.contains(style) && !shell.contains(script))
        }
        #expect(pages.file(at: "/desk.html") == nil && pages.file(at: "/desks") == nil)
    }

    @Test(
        "No other path is a file",
        arguments: ["/assets/js/app.js", "/app.html", "/display.html", "/my-bikes", "/../etc/passwd", ""])
    func refusesOtherPaths(path: String) { #expect(WebPages.built.file(at: path) == nil) }

    @Test("What each page needs is at most 36 kB, a bike's page 45 kB, and what a display needs at most 20 kB")
    func staysWithinItsBudget() throws {
        func size(_ paths: [String]) -> Int {
            paths.compactMap { pages.file(at: $0) }.reduce(0) { $0 + ($1.brotli ?? $1.bytes).count }
        }
        let modules = Modules(BundledFile.all)
        let style = [try #require(pages.address(of: "style.css"))]
        // Tests/Pages measures whole visits, with the map.
        for (path, module) in Modules.pages where !module.hasPrefix(Modules.desk) {
            for language in Set(BundledFile.all.compactMap { Modules.language(of: $0.source) }) {
                #expect(
                    size(modules.files(for: module, language: language) + style)
                        <= (module == "bike" ? 45_000 : 36_000), "\(path)")
            }
        }
        let display = ["display.css", "style.css"].compactMap(pages.address(of:))
        #expect(size(modules.files(from: [Modules.displayShell, "js/text/de/display.js"]) + display) <= 20_000)
    }
}
