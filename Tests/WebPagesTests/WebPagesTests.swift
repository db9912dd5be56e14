import Foundation
import TestSupport
import Testing

@testable import WebPages

@Suite struct WebPagesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CWebFiles/files").standardized

    @Test("The program contains each file of the folder, as it is") func containsTheFolder() throws {
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

    @Test("Each page is the shell, which names the files of its build")
    func servesTheShell() throws {
        let pages = WebPages.built
        let shell = try #require(pages.file(at: "/my/bikes/01a203c0-10e1-70b7-b565-e8859429d886"))
        let text = String(decoding: shell.bytes, as: UTF8.self)
        #expect(text.contains("/assets/\(pages.build)/js/app.js"))
        #expect(!text.contains("BUILD"))
        #expect(pages.file(at: "/assets/\(pages.build)/js/app.js")?.isImmutable == true)
        #expect(!shell.isImmutable)
    }

    @Test("No other path is a file", arguments: ["/assets/js/app.js", "/app.html", "/my-bikes", "/../etc/passwd", ""])
    func refusesOtherPaths(path: String) { #expect(WebPages.built.file(at: path) == nil) }

    @Test("A visitor receives at most 100 kB, and 40 kB without the map") func staysWithinItsBudget() throws {
        let pages = WebPages.built
        func size(_ isCounted: (String) -> Bool) -> Int {
            WebPages.embedded().keys.filter(isCounted).compactMap { pages.file(at: "/assets/\(pages.build)/\($0)") }
                .reduce(0) { $0 + ($1.brotli ?? $1.bytes).count }
        }
        #expect(size { !$0.hasSuffix(".png") } <= 100_000)
        let map = ["vendor/", "js/trail/map.js", "js/trail/tiles.js"]
        #expect(size { file in !file.hasSuffix(".png") && !map.contains { file.hasPrefix($0) } } <= 40_000)
    }
}
