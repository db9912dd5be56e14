"""Adds to a folder in OCI's layout, with one image, the list of its files as docker save writes it: manifest.json.

Usage: docker_manifest.py FOLDER. Docker before version 25 reads no other form. It names the same files, so the archive stays as small.
"""

import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])


def path(entry):
    return "blobs/" + entry["digest"].replace(":", "/")


(image,) = json.loads((folder / "index.json").read_text(encoding="utf-8"))["manifests"]
manifest = json.loads((folder / path(image)).read_text(encoding="utf-8"))
entry = {
    "Config": path(manifest["config"]),
    "RepoTags": [image["annotations"]["org.opencontainers.image.ref.name"]],
    "Layers": [path(layer) for layer in manifest["layers"]],
}
(folder / "manifest.json").write_text(json.dumps([entry]), encoding="utf-8")
