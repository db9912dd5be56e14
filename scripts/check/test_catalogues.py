"""Tests of the check of the catalogues, with catalogues of their own."""

import pathlib
import tempfile
import unittest

import catalogues

ENGLISH = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

#, python-brace-format
msgctxt "first.span"
msgid "{from} to {to}"
msgstr ""

#, python-brace-format
msgctxt "alert.heard"
msgid "{bike} was heard."
msgid_plural "{bike} was heard {count} times."
msgstr[0] ""
msgstr[1] ""
"""

POLISH = """\
# Not yet reviewed.
msgid ""
msgstr ""
"Language: pl\\n"
"X-Language-Name: Polski\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

#, python-brace-format
msgctxt "first.span"
msgid "{from} to {to}"
msgstr "od {from} do {to}"

#, python-brace-format
msgctxt "alert.heard"
msgid "{bike} was heard."
msgid_plural "{bike} was heard {count} times."
msgstr[0] "Wykryto nadajnik {ofBike}."
msgstr[1] "Nadajnik {ofBike} wykryto {count} razy."
msgstr[2] "Nadajnik {ofBike} wykryto {count} razy."
"""


class Catalogues(unittest.TestCase):
    def faults(self, polish, english=ENGLISH, is_check=True):
        """What the check says about these catalogues, and the Polish one as it leaves it."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "messages.pot").write_text(english, encoding="utf-8")
            (folder / "pl.po").write_text(polish, encoding="utf-8")
            found = list(catalogues.faults(folder, is_check))
            return found, (folder / "pl.po").read_text(encoding="utf-8")

    def assert_fault(self, part, old, new):
        self.assertIn(old, POLISH)
        found, _ = self.faults(POLISH.replace(old, new))
        self.assertTrue(any(part in fault for fault in found), found)

    def test_a_whole_catalogue_has_no_fault(self):
        self.assertEqual(self.faults(POLISH), ([], POLISH))

    def test_what_is_missing(self):
        self.assert_fault("first.span is not translated", '"od {from} do {to}"', '""')
        self.assert_fault("not translated, the form for 2, 3, 4", '[1] "Nadajnik {ofBike} wykryto {count} razy."', '[1] ""')
        self.assert_fault("has 2 plural forms, but 3", '\nmsgstr[2] "Nadajnik {ofBike} wykryto {count} razy."', "")
        self.assert_fault("first.span is missing", 'msgctxt "first.span"', 'msgctxt "first.other"')
        self.assert_fault("needs Plural-Forms", "nplurals=3", "nplurals=many")
        self.assert_fault("needs X-Language-Name", '"X-Language-Name: Polski\\n"\n', "")

    def test_wrong_placeholders(self):
        self.assert_fault("lacks {to}", "od {from} do {to}", "od {from} do teraz")
        self.assert_fault("has {until}", "do {to}", "do {to} {until}")
        self.assert_fault("a brace", "do {to}", "do {to} {")
        self.assert_fault("lacks {bike}", "Wykryto nadajnik {ofBike}.", "Wykryto nadajnik.")
        # Only the form for 1 can leave the number out.
        self.assert_fault("lacks {count}", '[2] "Nadajnik {ofBike} wykryto {count} razy."', '[2] "Nadajnik {ofBike} wykryto."')

    def test_english_that_has_changed(self):
        changed = ENGLISH.replace("{from} to {to}", "{from} until {to}")
        found, text = self.faults(POLISH, changed)
        self.assertTrue(any("first.span has changed" in fault for fault in found), found)
        self.assertEqual(text, POLISH)
        _, text = self.faults(POLISH, changed, is_check=False)
        self.assertIn('#, fuzzy, python-brace-format\nmsgctxt "first.span"\nmsgid "{from} until {to}"\nmsgstr "od', text)

    def test_a_new_text_is_added(self):
        more = ENGLISH + '\nmsgctxt "first.back"\nmsgid "Back"\nmsgstr ""\n'
        found, text = self.faults(POLISH, more, is_check=False)
        self.assertEqual(found, ["pl.po: first.back is not translated"])
        self.assertTrue(text.endswith('msgctxt "first.back"\nmsgid "Back"\nmsgstr ""\n'))
        self.assertIn("# Not yet reviewed.", text)

    def test_what_is_no_catalogue(self):
        found, _ = self.faults(POLISH + "\nwords without a keyword\n")
        self.assertEqual(found, ["pl.po:21: this is not a line of a PO file"])


if __name__ == "__main__":
    unittest.main()
