import Foundation
import TestSupport
import Testing

@testable import WebPages

@Suite("Files of the web pages")
struct WebPagesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CWebFiles/files").standardized

    @Test("the program contains each file of the folder unchanged")
    func containsTheFolder() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { !$0.hasSuffix(".txt") && !isFolder($0) }
        let embedded = WebPages.embedded()
        #expect(Set(names) == Set(embedded.keys), "run scripts/web-files.sh")
        for name in names {
            #expect(embedded[name] == [UInt8](try Data(contentsOf: Self.folder.appending(path: name))), "\(name)")
        }
    }

    private func isFolder(_ name: String) -> Bool {
        (try? Self.folder.appending(path: name).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    @Test("each page is the shell, which names the files of its build")
    func servesTheShell() throws {
        let pages = WebPages.built
        let shell = try #require(pages.file(at: "/my/bikes/01a203c0-10e1-70b7-b565-e8859429d886"))
        let text = String(decoding: shell.bytes, as: UTF8.self)
        #expect(text.contains("/assets/\(pages.build)/js/app.js"))
        #expect(!text.contains("BUILD") && !text.contains("PRELOADS"))
        #expect(pages.file(at: "/assets/\(pages.build)/js/app.js")?.isImmutable == true)
        #expect(!shell.isImmutable)
    }

    @Test("A page names the modules that it loads, those of their imports included, and no others")
    func namesModules() throws {
        let pages = WebPages.built
        func names(_ path: String, language: String = "en") throws -> [String] {
            let file = try #require(pages.file(at: path, language: language))
            let text = String(decoding: file.bytes, as: UTF8.self)
            return text.split(separator: "\n").filter { $0.contains("modulepreload") }
                .compactMap { $0.split(separator: "/assets/\(pages.build)/").last?.split(separator: "\"").first }
                .map(String.init)
        }
        let trail = try names("/my/bikes/01a203c0-10e1-70b7-b565-e8859429d886")
        #expect(
            Set(trail).isSuperset(of: ["js/pages/bike.js", "js/pages/search.js", "js/trail/stays.js", "js/api.js"]))
        #expect(!trail.contains("js/pages/account.js"))
        #expect(!trail.contains("js/text/de.js") && trail.contains("js/text/en.js"))
        #expect(try names("/", language: "de").contains("js/text/de-details.js"))
        #expect(try !names("/").contains("js/pages/bike.js"))
        #expect(try names("/my/nothing").contains("js/app.js"))
        #expect(trail.allSatisfy { WebPages.embedded()[$0] != nil })
    }

    @Test("The program and the browser choose the same module for each page")
    func choosesTheSameModules() throws {
        var count = 0
        for area in ["", Modules.desk] {
            let source = try #require(WebPages.embedded()["js/\(area)app.js"])
            let routes = String(decoding: source, as: UTF8.self)
                .matches(of: /\[\/\^(.+?)\$\/, \(\) => import\("\.\/pages\/(.+?)\.js"\)\]/)
            for route in routes {
                let path = route.1.replacing("\\/", with: "/").replacing(/\(.+?\)/, with: "any")
                #expect(Modules.page(at: String(path)) == area + route.2, "\(path): add it to Modules.pages")
            }
            count += routes.count
        }
        #expect(count >= Modules.pages.count)
    }

    @Test("Owners load nothing of the operator's desk, and the desk has a shell of its own")
    func keepsTheDeskApart() throws {
        let pages = WebPages.built
        func text(_ path: String) throws -> String {
            String(decoding: try #require(pages.file(at: path)).bytes, as: UTF8.self)
        }
        for path in ["/", "/my", "/my/nothing", "/share", "/service-worker.js"] {
            #expect(try !text(path).contains("desk"), "\(path)")
        }
        for (path, module) in [("/desk", "overview"), ("/desk/stations", "stations"), ("/desk/sign-in", "sign-in")] {
            let shell = try text(path)
            #expect(shell.contains("/assets/\(pages.build)/desk.css"))
            #expect(shell.contains("js/desk/pages/\(module).js") && shell.contains("js/text/en-desk.js"))
            #expect(!shell.contains("js/app.js") && !shell.contains("PRELOADS"))
        }
        #expect(try text("/desk/nothing").contains("js/desk/app.js"))
        #expect(pages.file(at: "/desk.html") == nil && pages.file(at: "/desks") == nil)
    }

    @Test(
        "No other path is a file",
        arguments: ["/assets/js/app.js", "/app.html", "/display.html", "/my-bikes", "/../etc/passwd", ""])
    func refusesOtherPaths(path: String) { #expect(WebPages.built.file(at: path) == nil) }

    @Test("What each page needs is at most 43 kB, the bike's page at most 60 kB, and with the map at most 110 kB")
    func staysWithinItsBudget() throws {
        let pages = WebPages.built
        var modules = Modules(WebPages.embedded())
        func size(_ names: some Sequence<String>) -> Int {
            names.compactMap { pages.file(at: "/assets/\(pages.build)/\($0)") }
                .reduce(0) { $0 + ($1.brotli ?? $1.bytes).count }
        }
        let map = { (name: String) in name.hasPrefix("js/trail/") || name.hasPrefix("vendor/") }
        // One language; Tests/Pages measures whole visits.
        for (path, module) in Modules.pages where !module.hasPrefix(Modules.desk) {
            let needed = modules.files(for: module, language: "en") + ["style.css"]
            let most = module == "bike" ? 60_000 : 43_000
            #expect(size(needed.filter { !map($0) }) <= most, "\(path)")
        }
        let leaflet = WebPages.embedded().keys.filter { $0.hasPrefix("vendor/") }
        #expect(size(modules.files(for: "bike", language: "en") + leaflet + ["style.css"]) <= 110_000)
        // A display shares the style sheet and some small modules with the pages.
        let ofDisplay = modules.files(from: ["js/display.js", "js/text/en-display.js"])
        #expect(ofDisplay.contains("js/display/feed.js") && !ofDisplay.contains("js/app.js"))
        #expect(size(ofDisplay + ["style.css", "display.css"]) <= 20_000)
    }
}
