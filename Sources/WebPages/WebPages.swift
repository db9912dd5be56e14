import CWebFiles
import Crypto
import Syntax

/// The web pages of the registry: static files that are a part of the program, and call the registry's API.
public struct WebPages: Sendable {
    /// Identifies the contents of all files. It is a part of their paths, so browsers may keep them.
    public let build: String
    private let files: [String: WebFile]
    /// The HTML files in a form for each language and module of a page; under the empty name for all other pages of
    /// owners, and under ``Modules/desk`` for all others of the operator's desk.
    private let shells: [String: [String: WebFile]]

    /// The pages of this program.
    public static let built = WebPages(Self.embedded())

    /// Only the page of displays and its files, not compressed: for a small machine that serves few screens nearby.
    public static let ofDisplays = WebPages(displaysOf: Self.embedded())

    private init(displaysOf all: [String: [UInt8]]) {
        var modules = Modules(all)
        let texts = all.keys.filter { $0.begins(with: "js/text/") && $0.ends(with: "-display.js") }
        let scripts = modules.files(from: ["js/display.js"])
        let names = scripts + modules.files(from: Array(texts)) + ["style.css", "display.css", "icon.svg"]
        let assets = all.filter { names.contains($0.key) }
        let build = Self.hash(of: assets.merging([Self.displayName: all[Self.displayName] ?? []]) { $1 })
        self.build = build
        shells = [:]
        var files = Dictionary(
            uniqueKeysWithValues: assets.map { name, bytes in
                ("/assets/\(build)/\(name)", WebFile(bytes, named: name, isImmutable: true, isCompressed: false))
            })
        let page = String(decoding: all[Self.displayName] ?? [], as: UTF8.self)
            .replacing(text: "PRELOADS", with: scripts.map(Self.preload(build)).joined(separator: "\n"))
            .replacing(text: "BUILD", with: build)
        files["/display"] = WebFile(
            Array(page.utf8), named: Self.displayName, isImmutable: false, isCompressed: false)
        self.files = files
    }

    init(_ sources: [String: [UInt8]]) {
        let build = Self.hash(of: sources)
        let assets = sources.keys.filter { !Self.rootFiles.contains($0) }.sorted()
        func file(_ name: String, _ preloads: [String] = []) -> WebFile {
            let bytes = sources[name] ?? []
            guard !assets.contains(name) else { return WebFile(bytes, named: name, isImmutable: true) }
            let list = assets.filter { !$0.ends(with: ".png") && !Modules.isOfDesk($0) }
                .map { "\"/assets/\(build)/\($0)\"" }
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing(text: "FILES", with: "[\(list.joined(separator: ", "))]")
                .replacing(text: "PRELOADS", with: preloads.joined(separator: "\n")).replacing(
                    text: "BUILD", with: build)
            return WebFile(Array(text.utf8), named: name, isImmutable: false)
        }
        var files = Dictionary(uniqueKeysWithValues: assets.map { ("/assets/\(build)/\($0)", file($0)) })
        let shells = [Self.shellName, Self.displayName, Self.deskShellName]
        for name in Self.rootFiles.subtracting(shells) { files["/\(name)"] = file(name) }
        var modules = Modules(sources)
        let parts = modules.files(from: ["js/display.js"]).map(Self.preload(build))
        files["/display"] = file(Self.displayName, parts)
        self.build = build
        self.files = files
        let names = Set(Modules.pages.map(\.module)).union(["", Modules.desk])
        let languages = Self.languages.map { language in
            let forms = names.map { name in
                let links = modules.files(for: name, language: language).map(Self.preload(build))
                return (name, file(name.begins(with: Modules.desk) ? Self.deskShellName : Self.shellName, links))
            }
            return (language, Dictionary(uniqueKeysWithValues: forms))
        }
        self.shells = Dictionary(uniqueKeysWithValues: languages)
    }

    /// Makes a browser load a module early.
    private static func preload(_ build: String) -> (String) -> String {
        { "<link rel=\"modulepreload\" href=\"/assets/\(build)/\($0)\">" }
    }

    /// The languages of the pages.
    private static let languages = ["en", "de"]

    /// The file at a path; nil if there is none. All pages of owners are one file, which shows the page of its address;
    /// all pages of the operator's desk are another one, and the display's page is a third.
    ///
    /// - Parameter language: the language that the reader probably wants; it changes only what is loaded early.
    public func file(at path: String, language: String = "en") -> WebFile? {
        guard Self.isPage(path) else { return files[path] }
        let forms = shells[language] ?? shells["en"]
        return forms?[Modules.page(at: path) ?? (Self.isDesk(path) ? Modules.desk : "")]
    }

    /// The files outside of `/assets`, in which the names of the others are filled in.
    private static let rootFiles: Set = [
        shellName, displayName, deskShellName, "manifest.webmanifest", "service-worker.js",
    ]
    private static let shellName = "app.html"
    private static let deskShellName = "desk.html"
    /// The page of displays at venues, which is apart because it must be small and stay open for months.
    private static let displayName = "display.html"

    private static func isPage(_ path: String) -> Bool {
        ["/", "/about", "/sign-in", "/sign-up", "/join", "/my", "/share"].contains(path) || path.begins(with: "/my/")
            || isDesk(path)
    }

    private static func isDesk(_ path: String) -> Bool { path == "/desk" || path.begins(with: "/desk/") }

    /// The files by their paths in `Sources/CWebFiles/files`.
    static func embedded() -> [String: [UInt8]] {
        let files = (0..<findmybike_web_file_count).compactMap { findmybike_web_file_at($0)?.pointee }
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                (String(cString: file.path), Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
            })
    }

    private static func hash(of sources: [String: [UInt8]]) -> String {
        var hash = SHA256()
        for (name, bytes) in sources.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array("\(name) \(bytes.count)\n".utf8))
            hash.update(data: bytes)
        }
        return hash.finalize().prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
