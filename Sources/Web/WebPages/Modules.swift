import Syntax

/// The scripts (JavaScript modules) that each page needs, so that a browser learns of all of them together. Otherwise each
/// step from one import to the next would cost a phone another round trip.
struct Modules {
    /// The page's module by the page's path; `*` is any one segment. `js/app.js` and
    /// `js/desk/app.js` have the same table for the browser.
    static let pages: [(path: String, module: String)] = [
        ("/", "welcome"), ("/sign-in", "sign-in"), ("/sign-up", "sign-up"), ("/my", "bikes"),
        ("/my/new-bike", "bike-form"),
        ("/my/bikes/*", "bike"), ("/my/bikes/*/edit", "bike-form"), ("/my/bikes/*/letter", "letter"),
        ("/my/bikes/*/poster", "poster"), ("/about", "about"),
        ("/my/account", "account"), ("/share", "share"), ("/join", "join"),
        ("/desk", "desk/overview"), ("/desk/sign-in", "desk/sign-in"), ("/desk/stations", "desk/stations"),
        ("/desk/stations/*", "desk/station"), ("/desk/invitations", "desk/invitations"),
        ("/desk/reviews", "desk/reviews"), ("/desk/owners/*", "desk/owner"), ("/desk/messages", "desk/messages"),
        ("/desk/safety", "desk/safety"),
        ("/desk/partners", "desk/partners"), ("/desk/partners/*", "desk/partner"),
        ("/desk/audit", "desk/audit"), ("/desk/access", "desk/access"),
    ]

    /// The modules of the pages that a visit begins with, and the one of unknown pages: they need only the first part of the
    /// texts. The others name "more" in `js/app.js`.
    static let first: Set = ["", "welcome", "sign-in", "sign-up", "bikes", "about"]

    /// The beginning of the names of the modules of the operator's desk, which has its own shell.
    static let desk = "desk/"
    /// The first script of every page of the desk, as `js/app.js` is of every page of owners.
    static let deskShell = "js/desk/app.js"
    /// The script of the page of displays.
    static let displayShell = "js/display.js"

    /// The pages, with their paths cut into segments.
    private static let table = pages.map { (segments: $0.path.split(at: "/"), module: $0.module) }

    /// All files by their addresses.
    private let files: [String: BundledFile]
    /// The addresses of each source by the shell that it was bundled for: the shells share modules, but not their bundles.
    private let addresses: [String: [String: String]]

    init(_ files: [BundledFile]) {
        self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        addresses = files.reduce(into: [:]) { $0[$1.source, default: [:]][$1.shell] = $1.path }
    }

    /// The module of the page at a path; nil if no page has this path.
    static func page(at path: String) -> String? {
        let segments = path.split(at: "/", maxSplits: 8)
        return table.first { page in
            page.segments.count == segments.count
                && zip(page.segments, segments).allSatisfy { $0 == "*" || $0 == $1 }
        }?.module
    }

    /// The language of the texts in a file, which is `js/text/LANGUAGE/PART.js`; nil if it has no texts.
    static func language(of source: String) -> String? {
        let segments = source.split(at: "/", maxSplits: 4)
        return segments.count == 4 && segments.starts(with: ["js", "text"]) ? String(segments[2]) : nil
    }

    /// The address of a file; nil if there is none of this name.
    ///
    /// - Parameter shell: the script of the shell that selects the bundle if there are several.
    func address(of source: String, for shell: String = "js/app.js") -> String? {
        guard let bundles = addresses[source] else { return nil }
        // Bundled for this shell, or for all; otherwise any, always the same.
        return bundles[shell] ?? bundles[""] ?? bundles.values.min()
    }

    /// The addresses of the scripts that a page in a language loads, directly or not, sorted; for an unknown module, those that all pages
    /// load.
    func files(for module: String, language: String) -> [String] {
        var parts = ["first"]
        if !Self.first.contains(module) { parts.append("more") }
        if module.begins(with: Self.desk) { parts += ["problems", "desk"] }
        return files(from: Self.roots(of: module) + parts.map { "js/text/\(language)/\($0).js" })
    }

    /// The addresses of these modules and of the scripts that they load, directly or not, sorted. The first module is the shell.
    func files(from modules: [String]) -> [String] {
        var found: Set<String> = []
        var rest = modules.compactMap { address(of: $0, for: modules[0]) }
        while let path = rest.popLast() {
            guard found.insert(path).inserted else { continue }
            rest += files[path]?.imports ?? []
        }
        return found.sorted()
    }

    /// The script of the shell, and the page's module.
    private static func roots(of module: String) -> [String] {
        guard module.begins(with: desk) else { return ["js/app.js", "js/pages/\(module).js"] }
        return [deskShell, "js/\(desk)pages/\(module.dropFirst(desk.count)).js"]
    }
}
