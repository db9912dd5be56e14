import Syntax

/// The JavaScript modules that each page needs, so that a browser learns of all of them at once. Otherwise each step from
/// one import to the next would cost a phone another round trip.
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
        ("/desk/audit", "desk/audit"), ("/desk/access", "desk/access"),
    ]

    /// Begins the names of the modules of the operator's desk, which has a shell of its own.
    static let desk = "desk/"

    private static let table = pages.map { (segments: $0.path.split(at: "/"), module: $0.module) }

    private let sources: [String: [UInt8]]
    /// What the modules import that were looked at so far: pages share most of them.
    private var known: [String: [String]] = [:]

    init(_ sources: [String: [UInt8]]) { self.sources = sources }

    /// Whether only the operator's desk needs a file. Owners' browsers never load it.
    static func isOfDesk(_ file: String) -> Bool {
        file.begins(with: "js/\(desk)") || (file.begins(with: "js/text/") && file.ends(with: "-desk.js"))
            || ["desk.html", "desk.css"].contains(file)
    }

    /// The module of the page at a path; nil if no page has this path.
    static func page(at path: String) -> String? {
        let segments = path.split(at: "/", maxSplits: 8)
        return table.first { page in
            page.segments.count == segments.count
                && zip(page.segments, segments).allSatisfy { $0 == "*" || $0 == $1 }
        }?.module
    }

    /// The files that a page in a language loads, directly or not, sorted; for an unknown module, those that all pages
    /// load.
    mutating func files(for module: String, language: String) -> [String] {
        let texts = ["js/text/\(language).js"] + (module.begins(with: Self.desk) ? ["js/text/\(language)-desk.js"] : [])
        return files(from: Self.roots(of: module) + texts)
    }

    /// The files that modules load, directly or not, sorted, with these modules.
    mutating func files(from modules: [String]) -> [String] {
        var found: Set<String> = []
        var rest = modules
        while let file = rest.popLast() {
            guard let imported = imports(of: file), found.insert(file).inserted else { continue }
            rest += imported
        }
        return found.sorted()
    }

    /// The script of the shell, and the page's module.
    private static func roots(of module: String) -> [String] {
        guard module.begins(with: desk) else { return ["js/app.js", "js/pages/\(module).js"] }
        return ["js/\(desk)app.js", "js/\(desk)pages/\(module.dropFirst(desk.count)).js"]
    }

    /// The files that a module imports statically; nil if there is no such module.
    private mutating func imports(of file: String) -> [String]? {
        if let imports = known[file] { return imports }
        guard let source = sources[file] else { return nil }
        let imports = Self.imports(String(decoding: source, as: UTF8.self), of: file)
        known[file] = imports
        return imports
    }

    /// The files that a module imports statically: the quoted paths at the ends of `import` declarations.
    private static func imports(_ source: String, of file: String) -> [String] {
        source.split(at: "\n").compactMap { line in
            guard line.begins(with: "import ") || line.begins(with: "} from ") else { return nil }
            let parts = line.split(at: "\"")
            guard parts.count > 1 else { return nil }
            return resolved(parts[1], in: file)
        }
    }

    private static func resolved(_ path: Substring, in file: String) -> String {
        var folders = file.split(at: "/").dropLast()
        for part in path.split(at: "/") where part != "." {
            folders = part == ".." ? folders.dropLast() : folders + [part]
        }
        return folders.joined(separator: "/")
    }
}
