"""Tests of the search for stiff words, with a diff of their own."""

import unittest

import words

DIFF = """\
diff --git a/Sources/Roof.swift b/Sources/Roof.swift
--- a/Sources/Roof.swift
+++ b/Sources/Roof.swift
@@ -3,0 +4,3 @@ struct Roof
+/// Nobody sees it.
+func tell() {}
+let text = "come at once"
@@ -9 +12 @@ struct Roof
-/// What nobody wants.
+/// What everybody wants.
diff --git a/docs/page.md b/docs/page.md
--- a/docs/page.md
+++ b/docs/page.md
@@ -1 +1 @@
+The way by which it comes
diff --git a/Tests/odd.bin b/Tests/odd.bin
--- /dev/null
+++ b/Tests/odd.bin
@@ -0,0 +1 @@
+told
""".splitlines()


class Words(unittest.TestCase):
    def test_added_lines_that_people_read(self):
        self.assertEqual(list(words.findings(DIFF)), [
            "Sources/Roof.swift:4: /// Nobody sees it.",
            'Sources/Roof.swift:6: let text = "come at once"',
            "docs/page.md:1: The way by which it comes"])


if __name__ == "__main__":
    unittest.main()
