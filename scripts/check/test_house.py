"""Tests of the check of imports, and of the drawing, with a house of their own."""

import os
import pathlib
import tempfile
import unittest

import house


def target(path, *dependencies, kind="regular"):
    return {
        "name": path.split("/")[-1], "path": path, "type": kind,
        "dependencies": [{"byName": [name, None]} for name in dependencies]}


class House(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)

    def rooms(self, imports, *targets):
        for path, text in imports.items():
            file = pathlib.Path(path, "File.swift")
            file.parent.mkdir(parents=True)
            file.write_text(text)
        return house.rooms_of({"targets": [*targets, target("Tests/Base/CellarTests", "Roof")]})

    def test_rooms_import_what_lies_below(self):
        rooms = self.rooms(
            {"Sources/Base/Cellar": "import Foundation\n", "Sources/Top/Roof": "public import Cellar\n"},
            target("Sources/Base/Cellar"), target("Sources/Top/Roof", "Cellar"))
        self.assertEqual(list(house.faults(rooms)), [])
        self.assertEqual(house.drawing(rooms), "```\nTop         Roof\n\nBase        Cellar\n```\n")

    def test_each_fault_is_named(self):
        rooms = self.rooms(
            {"Sources/Base/Cellar": "@testable import Roof\n", "Sources/Top/Roof": "import Attic\n",
             "Sources/Top/Attic": "// import Cellar\n"},
            target("Sources/Base/Cellar", "Roof"), target("Sources/Top/Roof"), target("Sources/Top/Attic", "Cellar"))
        self.assertEqual(list(house.faults(rooms)), [
            "Cellar of the floor Base imports Roof of the higher floor Top",
            "Roof imports Attic, which Package.swift does not say",
            "Package.swift lets Attic import Cellar, which no file of it does"])

    def test_only_the_drawing_of_a_page_changes(self):
        page = "before\n" + house.BEGIN + "old\n" + house.END + "after\n"
        self.assertEqual(house.drawn(page, "new\n"), page.replace("old", "new"))


if __name__ == "__main__":
    unittest.main()
