"""Bundles the files of the web pages with esbuild, and writes them as a Swift file. Run by the plugin WriteSources when the
program is built. Usage: bundle.py OUTPUT

OUTPUT is the folder of the Swift file, which is written only if it changes. The names of files have a hash of their contents:
a browser keeps a file over an upgrade that does not change it. In all texts, an address such as /assets/icon.svg means the
file of that name, and becomes its address with the hash.
"""

import base64
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FILES = pathlib.Path(__file__).resolve().with_name("Files")
# The texts of all languages, as JavaScript.
sys.path.insert(0, str(FILES.parents[2] / "Wire/Languages"))
import catalogue  # noqa: E402
import javascript  # noqa: E402

# The scripts of the shells. They share no files with each other, because each person uses only one of them.
SHELLS = ["js/app.js", "js/desk/app.js", "js/display.js", "js/finder.js"]
# They come before everything else, so they are a part of the owners' HTML.
INLINE, STYLE = "js/early.js", "style.css"
TEXTS = {".html", ".js", ".css", ".svg", ".webmanifest"}
ADDRESS = re.compile(r"/assets/([\w./-]+)")
# What this share of a shell's pages needs is in one file for all of them.
COMMON = 1 / 3
# So is what two pages need and has at most so many bytes: on a slow line, a file costs more than its bytes do.
SMALL = 1200


def esbuild(*arguments, **options):
    try:
        result = subprocess.run(["esbuild", "--log-level=warning", "--target=es2022", *arguments],
                                check=False, capture_output=True, **options)
    except FileNotFoundError:
        sys.exit("bundle.py: esbuild is missing: run scripts/prepare.sh build")
    if result.returncode != 0:
        sys.exit("bundle.py: esbuild failed:\n" + result.stderr.decode())
    return result.stdout


class Bundle:
    def __init__(self):
        # The address of each file by its name, and (address, name, shell, imports, contents) of each.
        self.addresses, self.served = {}, []

    def add(self, name, contents):
        """A file that is served as it is, with its hash in its name."""
        path = pathlib.PurePath(name)
        address = f"/assets/{path.stem}-{hashlib.sha256(contents).hexdigest()[:8]}{path.suffix}"
        self.addresses[name] = address
        self.served.append((address, name, "", [], contents))

    def resolved(self, name):
        """A text with the addresses of files."""
        def address(match):
            if match[1] not in self.addresses:
                sys.exit(f"bundle.py: {name} names {match[0]}, which is not a file")
            return self.addresses[match[1]]
        return ADDRESS.sub(address, (FILES / name).read_text(encoding="utf-8"))

    def add_scripts(self, folder, main):
        """The script of a shell, with the pages that it loads."""
        out = folder / ("out-" + main.replace("/", "-"))
        first = bundled(folder, [main], out)
        inputs = first["inputs"]
        sizes = {name: part["bytesInOutput"] for output in first["outputs"].values() for name, part in output["inputs"].items()}
        pages = [each["path"] for each in inputs[main]["imports"]
                 if each["kind"] == "dynamic-import" and "/pages/" in each["path"]]
        check_texts(folder, inputs, main, pages)
        common = shared(inputs, main, set(pages), sizes)
        source = "".join(f'import "./{name.removeprefix("js/")}";\n' for name in sorted(common))
        (folder / "js/common.js").write_text(source, encoding="utf-8")
        # Whatever is loaded later and uses a part of it must name the whole, or esbuild makes a file of that part.
        later = {each["path"] for file in inputs.values() for each in file["imports"] if each["kind"] == "dynamic-import"}
        for name in {main, *pages, *(each for each in later if needed(inputs, each) & common)}:
            up = "../" * (name.count("/") - 1) or "./"
            text = (folder / name).read_text(encoding="utf-8")
            (folder / name).write_text(f'import "{up}common.js";\n' + text, encoding="utf-8")
        shutil.rmtree(out)
        outputs = bundled(folder, [main], out)["outputs"]
        for name, output in outputs.items():
            address = "/assets/" + pathlib.PurePath(name).name
            begins = output.get("entryPoint", "")
            if begins == main or begins.startswith("js/pages/"):
                self.addresses[begins] = address
            imports = ["/assets/" + pathlib.PurePath(each["path"]).name for each in output["imports"]
                       if each["kind"] == "import-statement"]
            self.served.append((address, begins, main, imports, (folder / name).read_bytes()))


def bundled(folder, entries, out):
    """Bundles scripts; returns what esbuild says about them."""
    meta = out.with_suffix(".json")
    esbuild(*entries, "--bundle", "--splitting", "--format=esm", "--minify", "--charset=utf8", f"--outdir={out}",
            f"--metafile={meta}", "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", cwd=folder)
    return json.loads(meta.read_text(encoding="utf-8"))


def needed(inputs, name):
    """A module, and those that it imports at once, directly or not."""
    found, rest = set(), [name]
    while rest:
        name = rest.pop()
        if name in found:
            continue
        found.add(name)
        rest += [each["path"] for each in inputs[name]["imports"] if each["kind"] == "import-statement"]
    return found


def check_texts(folder, inputs, main, pages):
    """Ends if a page uses a text of a part that it does not load."""
    if main != "js/app.js":
        return
    source = (folder / main).read_text(encoding="utf-8")
    english = catalogue.read(catalogue.FOLDER / catalogue.TEMPLATE)
    known = {"problems", *(key.split(".")[0] for key, _ in javascript.entries_of(english, "first"))}
    for page in pages:
        if f'{page.removeprefix("js/")}"), "more"]' in source:
            continue
        for name in needed(inputs, page):
            for text in re.findall(r"\bt\.(\w+)", (folder / name).read_text(encoding="utf-8")):
                if text not in known:
                    sys.exit(f"bundle.py: {name} uses t.{text}, which {page} does not load: begin its keys with “first”, or name "
                             f"the part “more” in {main}")


def shared(inputs, main, pages, sizes):
    """The modules that the script of a shell needs, or many of its pages do, or that are small and two pages need them."""
    counts = {}
    for page in pages:
        for name in needed(inputs, page) - pages:
            counts[name] = counts.get(name, 0) + 1
    common = {name for name, count in counts.items()
              if count >= len(pages) * COMMON or count > 1 and sizes.get(name, 0) <= SMALL}
    return (common | needed(inputs, main)) - {main}


def bundle():
    result = Bundle()
    names = sorted(str(path.relative_to(FILES)) for path in FILES.rglob("*") if path.is_file() and path.suffix != ".txt")
    root = [name for name in names if "/" not in name and pathlib.PurePath(name).suffix in (".html", ".webmanifest", ".js")]
    for name in names:
        if name in root or name.startswith("js/"):
            continue
        contents = (FILES / name).read_bytes()
        result.add(name, esbuild("--minify", "--loader=css", input=contents) if name.endswith(".css") else contents)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in names:
            if name.startswith("js/") and name != INLINE:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(result.resolved(name), encoding="utf-8")
        for name, text in javascript.modules(*catalogue.read_all()).items():
            (folder / "js" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "js" / name).write_text(text, encoding="utf-8")
        for main in SHELLS:
            result.add_scripts(folder, main)
        # It names files of the others.
        inline = {"Script": esbuild("--minify", "--loader=js", input=result.resolved(INLINE).encode()).decode().strip(),
                  "Style": esbuild("--minify", "--loader=css", input=(FILES / STYLE).read_bytes()).decode().strip()}
    for name in root:
        text = result.resolved(name).replace("EARLY", inline["Script"]).replace("STYLE", inline["Style"])
        result.served.append((name, name, "", [], text.encode()))
    return inline, result.served


def literal(text):
    escaped = "".join(ESCAPES.get(each, each) for each in text)
    return f'"{escaped}"'


ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\u2028": "\\u{2028}",
           "\u2029": "\\u{2029}", **{chr(code): "\\u{%x}" % code for code in (*range(1, 9), 11, 12, *range(14, 32), 127)}}


def swift(inline, served):
    lines = ["// Written by bundle.py.", "extension BundledFile {"]
    for kind, text in inline.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        lines.append(f"    static let inline{kind}Hash = {literal(digest)}")
    lines.append("    static let all: [BundledFile] = [")
    for path, source, shell, imports, contents in sorted(served):
        is_text = pathlib.PurePath(path).suffix in TEXTS
        names = ", ".join(map(literal, imports))
        lines.append(f"        BundledFile(\n            path: {literal(path)}, source: {literal(source)}, shell: {literal(shell)}, "
                     f"imports: [{names}],\n            isText: {'true' if is_text else 'false'}, contents: {literal(contents.decode('utf-8' if is_text else 'latin-1'))}),")
    return "\n".join([*lines, "    ]", "}", ""])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    file, text = folder / "BundledFile+All.swift", swift(*bundle())
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


main()
