"""Prints the Unicode tables of the full-text search: Sources/RepositoryRuntime/Search/SearchTables.swift.

The tables are those of the Unicode version of the Python that runs the script (unicodedata). Another
version changes words, so that stores rebuild their indexes.
"""

import sys
import unicodedata

SCRIPTS = (
    "CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION MARK",
    "IDEOGRAPHIC NUMBER ZERO", "VERTICAL IDEOGRAPHIC ITERATION MARK", "HANGZHOU NUMERAL",
    "HIRAGANA ", "KATAKANA ", "KATAKANA-HIRAGANA ", "HALFWIDTH KATAKANA ",
    "COMBINING KATAKANA-HIRAGANA ", "HENTAIGANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ",
)
HANGUL = range(0xAC00, 0xD7A4)
SCALARS = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]


def is_dropped(code):
    return 0x300 <= code <= 0x36F


def folded(character):
    """Simple case folding: statuses C and S of CaseFolding.txt."""
    fold = character.casefold()
    if len(fold) == 1:
        return fold
    lower = character.lower()
    if character == "\ufb05":
        return "\ufb06"
    return lower if len(lower) == 1 and lower.casefold() == fold else character


def mapped(code):
    """The scalars that a scalar becomes."""
    whole = unicodedata.normalize("NFD", chr(code))
    result = [folded(part) for part in whole if not is_dropped(ord(part))]
    for part in result:
        assert unicodedata.normalize("NFD", part) == part and folded(part) == part, code
    return [ord(part) for part in result]


def kind(code):
    """n: separates words; w: belongs to a word; o: is a word of its own."""
    category = unicodedata.category(chr(code))
    name = unicodedata.name(chr(code), "")
    if name.startswith(SCRIPTS) and (category[0] in "LM" or category in ("Nd", "Nl")):
        return "o"
    return "w" if category[0] in "LM" or category == "Nd" else "n"


def runs(values):
    """Pairs of a length and a value."""
    result = []
    for value in values:
        if result and result[-1][1] == value:
            result[-1][0] += 1
        else:
            result.append([1, value])
    return result


def kinds():
    found = runs("n" if 0xD800 <= code < 0xE000 else kind(code)
                 for code in range(sys.maxunicode + 1))
    while found[-1][1] == "n":
        found.pop()
    return [f"{length:x}{value}" for length, value in found]


def mappings():
    """Runs of scalars with the same distance to what they become, and sequences."""
    changed = [(code, mapped(code)) for code in SCALARS
               if code not in HANGUL and not is_dropped(code) and mapped(code) != [code]]
    assert all(target for _, target in changed)
    words, last, index = [], 0, 0
    while index < len(changed):
        code, target = changed[index]
        if len(target) != 1:
            words.append(f"{code - last:x}=" + ".".join(f"{part:x}" for part in target))
            last, index = code, index + 1
            continue
        best = (1, 1)
        for stride in (1, 2):
            count = 1
            while index + count < len(changed):
                other, result = changed[index + count]
                if other != code + stride * count or result != [other + target[0] - code]:
                    break
                count += 1
            best = max(best, (count, stride))
        count, stride = best
        distance = target[0] - code
        sign = "-" if distance < 0 else "+"
        words.append(f"{code - last:x}{'/' if stride == 2 else '*'}{count:x}{sign}{abs(distance):x}")
        last = changed[index + count - 1][0]
        index += count
    return words


def classes():
    """Runs of canonical combining classes: gap, number, class."""
    found = runs(0 if 0xD800 <= code < 0xE000 or is_dropped(code)
                 else unicodedata.combining(chr(code)) for code in range(sys.maxunicode + 1))
    words, gap = [], 0
    for length, value in found:
        if value == 0:
            gap = length
        else:
            words.append(f"{gap:x}*{length:x}={value:x}")
            gap = 0
    return words


def text(name, comment, words):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 1 > 88:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines.append(line)
    body = "\n".join(f"        {line}" for line in lines)
    return f'    /// {comment}\n    static let {name}: StaticString = """\n{body}\n        """\n'


def main():
    print(f'''/// The facts of Unicode {unicodedata.unidata_version} that the full-text search uses.
///
/// `Tests/RepositoryRuntimeTests/Search/search-tables.py` prints this file.
enum SearchTables {{
    /// The version of Unicode. An index that was built with another version is rebuilt.
    static let version = "{unicodedata.unidata_version}"
''')
    print(text("kinds", "Lengths of runs of scalars, each followed by the kind: none, word, or own word.",
               kinds()))
    print(text("mappings", "What scalars become: runs with one distance, and sequences.", mappings()))
    print(text("classes", "Runs of canonical combining classes.", classes()), end="")
    print("}")


if __name__ == "__main__":
    main()
