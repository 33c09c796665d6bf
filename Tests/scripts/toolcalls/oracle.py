#!/usr/bin/env python3
"""Compares the Pythonic tool-call parser with Python itself.

Writes random calls in every spelling that Python allows, half of them with one character changed,
and reads them with Python's `ast` and with `leap debug tool-calls`. Every call that Python reads as
one of literals must come out the same; one with a value that JSON cannot hold (bytes, complex
numbers) must come out as text.

Usage: oracle.py LEAP_PROGRAM [CASES] [SEED]      (20,000 cases unless told)
"""
import ast
import json
import random
import subprocess
import sys
import warnings

START, END = "<|tool_call_start|>", "<|tool_call_end|>"
PIECES = ["a", "Oslo", " ", "'", '"', "\\", "\n", "\t", "\\n", "]", "[", ")", "(", "}", "{", ",", ":",
          "=", "é", "e\u0301", "😀", "日本", "'''", '"""', "it's", "\0", "\x1b", "<", "f(a=1)", "`", "#",
          "\u2028", "True", "\r", "\x7f", "\ufeff", "0x", "%s"]


class Unsupported(Exception):
    """Python reads the text, but its value has no JSON form."""


class Writer:
    """Random values in random spellings."""

    def __init__(self, rng):
        self.rng = rng

    def blank(self):
        return "" if self.rng.random() < 0.75 else self.rng.choice([" ", "\n", "  ", "\t", " \n "])

    def string(self):
        text = "".join(self.rng.choice(PIECES) for _ in range(self.rng.randrange(7)))
        quote = self.rng.choice(["'", '"', "'''", '"""'])
        if self.rng.random() < 0.1 and not set(text) & set("\\\n\r\0'\""):
            return self.rng.choice(["r", "R"]) + quote + text + quote
        out = []
        for character in text:
            code = ord(character)
            if character == "\\":
                out.append("\\\\")
            elif character in "\n\r" or code < 32:
                out.append(self.rng.choice([f"\\x{code:02x}", f"\\{code:03o}", f"\\u{code:04X}"]))
            elif character in "'\"":
                out.append("\\" + character)
            elif self.rng.random() < 0.1:
                out.append(f"\\U{code:08x}")
            elif self.rng.random() < 0.03:
                out.append("\\\n" + character)
            elif self.rng.random() < 0.03:
                out.append(character + self.rng.choice(["\\d", "\\ ", "\\q", "\\é", "\\a", "\\v"]))
            else:
                out.append(character)
        body = "".join(out)
        if len(quote) == 3 and self.rng.random() < 0.5:
            body += "\n x"
        return self.rng.choice(["", "", "", "", "u", "U"]) + quote + body + quote

    def number(self):
        value = self.rng.choice([self.rng.randrange(-1000, 1000), self.rng.getrandbits(64) - 2**63,
                                 self.rng.getrandbits(70)])
        sign = self.rng.choice(["", "+", "- "]) if value >= 0 else "-"
        value = abs(value)
        digits = str(value)
        return sign + self.rng.choice([
            digits, hex(value), oct(value), bin(value), f"{value:_}", f"0X_{value:X}", f"{digits}.",
            f"{digits}e{self.rng.randrange(-20, 20)}", f".{digits}", f"{digits}.{digits}E+3",
            repr(self.rng.uniform(-1e6, 1e6)).lstrip("-"), repr(self.rng.random() * 1e-300), "1e400",
            "0", "00", "0_0", "0.0"])

    def value(self, depth=0):
        kind = self.rng.randrange(10 if depth < 3 else 6)
        if kind == 0:
            return self.rng.choice(["None", "True", "False"])
        if kind < 3:
            return self.number()
        if kind < 6:
            strings = [self.string() for _ in range(2 if self.rng.random() < 0.1 else 1)]
            return " ".join(strings)
        values = [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        if kind == 6:
            return "(" + self.list(values, "," if len(values) == 1 else "") + ")"
        if kind == 7 and values:
            return "{" + self.list(values) + "}"
        if kind == 8:
            keys = [self.rng.choice([self.string, self.string, self.number])() for _ in values]
            return "{" + self.list([k + self.blank() + ":" + self.blank() + v
                                    for k, v in zip(keys, values)]) + "}"
        return "[" + self.list(values) + "]"

    def list(self, items, end=""):
        text = self.blank()
        for index, item in enumerate(items):
            text += item + self.blank()
            if index < len(items) - 1 or end or self.rng.random() < 0.1:
                text += "," + self.blank()
        return text

    def call(self):
        name = self.rng.choice(["f", "get_weather", "a.b.c", "Calendar.create", "größe"])
        names = self.rng.sample(["a", "b", "city", "x1", "_", "format", "é"], self.rng.randrange(5))
        arguments = [n + self.blank() + "=" + self.blank() + self.value() for n in names]
        if self.rng.random() < 0.05:
            arguments.append("**{'z': " + self.value() + "}")
        return name + self.blank() + "(" + self.list(arguments) + ")"

    def mutated(self, text):
        place = self.rng.randrange(len(text))
        new = self.rng.choice(["", *"'\"\\()[]{},:=_.0x1eE+-jbrfuT \n", text[place] * 2])
        return text[:place] + new + text[place + 1:]


def whole(text):
    """Halves of surrogate pairs joined, as JSON has them; those alone replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def expected(node, source):
    """What an expression means as JSON; ValueError where it is no literal."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return [expected(element, source) for element in node.elts]
    if isinstance(node, ast.Dict):
        if None in node.keys:
            raise ValueError
        result = {}
        for key, value in zip(node.keys, node.values):
            key = expected(key, source)
            if isinstance(key, (list, dict)):
                raise ValueError
            value = expected(value, source)
            result[key if isinstance(key, str) else json.dumps(key)] = value
        return result
    value = ast.literal_eval(node)
    if isinstance(value, str):
        return whole(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        if isinstance(value, float) or not -2**63 <= value < 2**63:
            try:
                value = float(value)
            except OverflowError:
                value = float("inf")
            if value in (float("inf"), float("-inf")):
                return ast.get_source_segment(source, node)
        return value
    raise Unsupported


def reading(source):
    """The call as Python reads it: a dictionary; ValueError or SyntaxError if it cannot."""
    # Inside brackets, as in a list of calls, line breaks mean nothing.
    source = "(" + source + ")"
    node = ast.parse(source, mode="eval").body
    if not isinstance(node, ast.Call) or node.args:
        raise ValueError
    name = node.func
    while isinstance(name, ast.Attribute):
        name = name.value
    if not isinstance(name, ast.Name):
        raise ValueError
    arguments = {}
    for keyword in node.keywords:
        value = expected(keyword.value, source)
        members = [(keyword.arg, value)] if keyword.arg else list(value.items())
        for name, member in members:
            if name in arguments:
                raise ValueError
            arguments[name] = member
    return {"name": ast.unparse(node.func), "arguments": arguments}


def is_comparable(text):
    """What the parser deliberately reads in another way than Python: comments, names of
    characters, lines that go on outside strings, blanks in names."""
    name = text.split("(")[0].replace("a.b.c", "").replace("Calendar.create", "")
    return not any(mark in text for mark in ["#", "\\N", "\f", "lambda"]) and "." not in name


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return repr(a) == repr(b)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    writer = Writer(rng)
    cases = []
    refused = 0
    while len(cases) < count:
        text = writer.call()
        if len(cases) % 2:
            text = writer.mutated(text)
        try:
            cases.append((text, reading(text)))
        except Unsupported:
            cases.append((text, None))
        except (ValueError, SyntaxError, MemoryError, TypeError, AttributeError):
            refused += 1
            continue
        if len(cases) % 2 == 0 and not is_comparable(text):
            cases.pop()
    texts = [START + "[" + text + "]" + END for text, _ in cases]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    run = subprocess.run(
        [sys.argv[1], "debug", "tool-calls", "--format", "lfm", "--lines", "--json"],
        input=lines.encode(), stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in run.stdout.decode().split("\n")[:-1]]
    if len(answers) != len(cases):
        sys.exit(f"{len(cases)} cases, but {len(answers)} answers")
    wrong = 0
    for (text, call), answer in zip(cases, answers):
        right = {"text": "", "calls": [call]} if call else {"text": "[" + text + "]", "calls": []}
        if same(answer, right):
            continue
        wrong += 1
        if wrong <= 10:
            print(f"case     {text!r}\nexpected {json.dumps(right)}\nread     {json.dumps(answer)}\n")
    unsupported = sum(call is None for _, call in cases)
    print(f"{len(cases)} calls ({unsupported} without a JSON form), {refused} refused by Python, "
          f"{wrong} differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
