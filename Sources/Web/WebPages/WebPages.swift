import Crypto
import Syntax

/// The web pages of the registry: static files that are a part of the program, and call the registry's API.
public struct WebPages: Sendable {
    /// Identifies the contents of all files.
    public let build: String
    private let files: [String: WebFile]
    /// The HTML files in a form for each language and module of a page; under the empty name for all other pages of
    /// owners, and under ``Modules/desk`` for all others of the operator's desk.
    private let shells: [String: [String: WebFile]]
    private let modules: Modules

    /// The pages of this program.
    public static let built = WebPages(BundledFile.all)

    /// Only the page of displays and its files, not compressed: for a small machine that serves few screens nearby.
    public static let ofDisplays = WebPages(displaysOf: BundledFile.all)

    /// The SHA-256 hash, in Base64, of the script inside of the HTML, for a content security policy that permits only this one
    /// (Content Security Policy Level 3, section 2.3.1).
    public static let inlineScriptHash = BundledFile.inlineScriptHash
    /// The same for the style sheet inside of the HTML.
    public static let inlineStyleHash = BundledFile.inlineStyleHash

    /// The address of a file by its name, such as `icon.svg`; nil if there is none of this name.
    public func address(of name: String) -> String? { modules.address(of: name) }

    /// The file at a path; nil if there is none. All pages of owners are one file, which shows the page of its address;
    /// all pages of the operator's desk are another one, and the display's page is a third.
    ///
    /// - Parameter language: the language that the reader probably wants; it affects only which files are loaded early.
    public func file(at path: String, language: String = "en") -> WebFile? {
        guard Self.isPage(path) else { return files[path] }
        let forms = shells[language] ?? shells["en"]
        let otherPages = Self.isDesk(path) ? Modules.desk : ""
        return forms?[Modules.page(at: path) ?? otherPages]
    }

    /// - Parameter all: the files of all pages, of which those of displays are kept.
    private init(displaysOf all: [BundledFile]) {
        let modules = Modules(all)
        let names: Set = ["style.css", "display.css", "icon.svg"]
        let assets = all.filter { $0.shell == Modules.displayShell || names.contains($0.source) }
        let page = all.filter { $0.source == Self.displayName }
        build = Self.hash(of: assets + page)
        shells = [:]
        var files = Dictionary(
            assets.map { ($0.path, WebFile($0.bytes, named: $0.path, isImmutable: true, isCompressed: false)) }
        ) { first, _ in first }
        let links = Self.displayScripts(modules)
        for file in page {
            files["/display"] = WebFile(
                Self.filled(file, links), named: file.path, isImmutable: false, isCompressed: false)
        }
        self.files = files
        self.modules = modules
    }

    /// - Parameter all: the files of all pages.
    init(_ all: [BundledFile]) {
        let modules = Modules(all)
        let build = Self.hash(of: all)
        let assets = all.filter { $0.path.begins(with: "/") }
        // The files that the service worker keeps. Owners' browsers never load those that only the operator's desk needs.
        let kept = assets.filter {
            !$0.source.ends(with: ".png") && $0.shell != Modules.deskShell && $0.source != "desk.css"
        }
        // A browser keeps the texts of one language, and what belongs to no language.
        let keptByLanguage = Dictionary(grouping: kept) { Modules.language(of: $0.source) ?? "" }
            .mapValues { $0.map(\.path) }
        let bySource = Dictionary(all.map { ($0.source, $0) }) { first, _ in first }
        func page(_ name: String, _ scripts: [String] = [], module: String = "") -> WebFile {
            let bytes = bySource[name].map { Self.filled($0, scripts, module, build: build, kept: keptByLanguage) }
            return WebFile(bytes ?? [], named: name, isImmutable: false)
        }
        var files = Dictionary(assets.map { ($0.path, WebFile($0.bytes, named: $0.path, isImmutable: true)) }) {
            first, _ in
            first
        }
        for name in ["manifest.webmanifest", "service-worker.js"] { files["/\(name)"] = page(name) }
        files["/display"] = page(Self.displayName, Self.displayScripts(modules))
        let names = Set(Modules.pages.map(\.module)).union(["", Modules.desk])
        let languages = Set(all.compactMap { Modules.language(of: $0.source) }).map { language in
            let forms = names.map { name in
                let shell = name.begins(with: Modules.desk) ? Self.deskShellName : Self.shellName
                return (name, page(shell, modules.files(for: name, language: language), module: name))
            }
            return (language, Dictionary(uniqueKeysWithValues: forms))
        }
        self.build = build
        self.files = files
        self.modules = modules
        shells = Dictionary(uniqueKeysWithValues: languages)
    }

    /// The file with its placeholders filled in, for values that depend on the other files and on the page.
    ///
    /// - Parameters:
    ///   - scripts: the addresses of the scripts that the page loads.
    ///   - module: the page's module, whose skeleton is shown first.
    ///   - kept: the addresses of the files that the service worker keeps, by language.
    private static func filled(
        _ file: BundledFile, _ scripts: [String], _ module: String = "", build: String = "",
        kept: [String: [String]] = [:]
    ) -> [UInt8] {
        let preloads = scripts.map { "<link rel=\"modulepreload\" href=\"\($0)\">" }.joined(separator: "\n")
        let lists = kept.sorted { $0.key < $1.key }.map { language, paths in
            "\"\(language)\": [\(paths.map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        let text = String(decoding: file.bytes, as: UTF8.self)
            .replacing(text: "FILES", with: "{\(lists.joined(separator: ", "))}")
            .replacing(text: "PRELOADS", with: preloads)
            .replacing(text: "SKELETON", with: module).replacing(text: "BUILD", with: build)
        return Array(text.utf8)
    }

    /// The scripts of the display's page, relative to it: a monitor's page can be behind a proxy, under another path.
    private static func displayScripts(_ modules: Modules) -> [String] {
        modules.files(from: [Modules.displayShell]).map { ".\($0)" }
    }

    private static let shellName = "app.html"
    private static let deskShellName = "desk.html"
    /// The page of displays at venues, which is separate because it must be small and stay open for months.
    private static let displayName = "display.html"

    private static func isPage(_ path: String) -> Bool {
        ["/", "/about", "/sign-in", "/sign-up", "/join", "/my", "/share"].contains(path) || path.begins(with: "/my/")
            || isDesk(path)
    }

    private static func isDesk(_ path: String) -> Bool { path == "/desk" || path.begins(with: "/desk/") }

    /// The first eight bytes of a hash of the files, in hexadecimal digits.
    private static func hash(of files: [BundledFile]) -> String {
        var hash = SHA256()
        for file in files {
            hash.update(data: Array("\(file.path) \(file.contents.utf8CodeUnitCount)\n".utf8))
            file.contents.withUTF8Buffer { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        }
        let digits = hash.finalize().prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return digits.joined()
    }
}
