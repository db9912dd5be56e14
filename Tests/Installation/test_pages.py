import unittest

import pages

PAGE = """# Title

```console
$ one   # a comment
answer …
  more
$ two \\
    --three
$ tee file <<END
$ not a command
END
```

## Next

```sh
# No heading.
first
second
```

```text
what both say
```

```text
of something else
```

```yaml
not: typed
```
"""


class Pages(unittest.TestCase):
    def test_commands_are_found_with_their_section_and_answer(self):
        self.assertEqual(pages.commands(PAGE), [
            pages.Command("Title", 4, "one   # a comment\n", "answer …\n  more\n"),
            pages.Command("Title", 7, "two \\\n    --three\n"),
            pages.Command("Title", 9, "tee file <<END\n$ not a command\nEND\n"),
            pages.Command("Next", 17, "# No heading.\nfirst\nsecond\n", "what both say\n"),
        ])

    def test_a_block_without_a_prompt_or_an_end_is_refused(self):
        for body in ("one\n", "$ tee <<END\n", "$ one \\\n"):
            with self.assertRaises(ValueError):
                pages.commands(f"```console\n{body}```\n")

    def test_an_answer_is_looked_for_anywhere_on_the_screen(self):
        command = pages.Command("", 1, "", "Type before …:\n  sudo enrol …\n")
        self.assertTrue(command.is_answered_by("Hello\nType before ten:\n    sudo  enrol X\nBye\n"))
        self.assertFalse(command.is_answered_by("Type before ten:\nBye\n"))
        self.assertTrue(pages.Command("", 1, "").is_answered_by(""))

    def test_the_code_that_was_told_last_is_typed(self):
        command = pages.Command("", 1, "enrol URL 7KQ2M-XW9TC-4HJ6D-PPZ0A")
        self.assertEqual(
            command.with_code_from("11111-22222-33333-44444 AAAAA-BBBBB-CCCCC-DDDDD"), "enrol URL AAAAA-BBBBB-CCCCC-DDDDD")
        self.assertEqual(command.with_code_from("none"), command.text)


if __name__ == "__main__":
    unittest.main()
