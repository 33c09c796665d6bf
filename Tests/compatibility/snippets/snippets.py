"""Cuts the Swift snippets out of the seed documents and compiles each of them.

Every snippet is a module of its own: its imports first, its types and extensions at file level, its
functions and statements in a subclass of Prelude.swift's SnippetHost. A declaration of one of the
SDK's own types is not compiled; the file of that name in Shapes compares the real type with it.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
TYPE = re.compile(
    r"(?:(?:public|final|private|open|indirect) )*(class|struct|enum|protocol|extension) (\w+)")
MEMBER = re.compile(r"(?:case|var|let|func) (\w+)")


def snippets(seeds):
    """Yields (id, lines) of all snippets, in order."""
    texts = {}
    for path in sorted(pathlib.Path(seeds).glob("00[0-3]_*.txt")):
        texts[path.name[:3]] = path.read_text().split("\n")
    for row in (HERE / "snippets.tsv").read_text().split("\n"):
        if row and not row.startswith("#"):
            name, seed, first, last = row.split("\t")
            yield name, texts[seed][int(first) - 1:int(last)]
    number, lines = 0, None
    for line in texts["003"]:
        if line.startswith("```swift"):
            number, lines = number + 1, []
        elif line.startswith("```") and lines is not None:
            yield f"S3-{number:02}", lines
            lines = None
        elif lines is not None:
            lines.append(line)


def chunks(lines):
    """The top-level declarations and statements of a snippet."""
    result, current, is_open = [], [], False
    for line in lines:
        starts = line and line[0] not in " \t})]"
        if starts and not is_open:
            result.append(current)
            current = []
        if starts:
            # Comments and attributes belong to what follows.
            is_open = line.startswith("//") or bool(re.fullmatch(r"@\w+(\(.*\))?", line))
        current.append(line)
    result.append(current)
    return [chunk for chunk in result if any(line.strip() for line in chunk)]


def head(chunk):
    """The chunk's first line that is neither a comment nor an attribute."""
    for line in chunk:
        if line.strip() and not line.startswith("//") and not re.fullmatch(r"@\w+(\(.*\))?", line):
            return line
    return ""


def source(lines):
    """The Swift file for a snippet, and the shapes to compare."""
    text = "\n".join(lines).replace(", ...]", "]")
    lines = text.split("\n")
    imports, types, functions, statements, shapes = [], [], [], [], []
    for chunk in chunks(lines):
        line = head(chunk)
        type_ = TYPE.match(line)
        if not line or line.startswith("import "):
            imports += [l for l in chunk if l.startswith("import ")]
        elif type_ and type_[1] != "extension" and (HERE / "Shapes" / f"{type_[2]}.swift").exists():
            shapes.append((type_[2], chunk))
        elif type_:
            types.append(chunk)
        elif line.startswith("func "):
            functions.append(chunk)
        else:
            statements.append(chunk)
    if not imports:
        imports = ["import LeapSDK"]
        if re.search(r"[Dd]ownloader\b", text):
            imports.append("import LeapModelDownloader")
    if not any("Leap" in line for line in imports):
        imports.append("import LeapSDK")
    if "ObservableObject" in text:
        imports.append("import Combine")  # LeapSDK re-exports it where it exists.
    if "UIImage" in text:
        imports.append("import UIKit")
    if "AVAudio" in text:
        imports.append("import AVFoundation")

    out = imports + [line for chunk in types for line in chunk]
    out.append("final class Snippet: SnippetHost {")
    out += [line for chunk in functions for line in chunk]
    out.append("func statements() async throws {")
    declared, scopes = set(), 0
    for chunk in statements:
        name = re.match(r"(?:let|var) (\w+)", head(chunk))
        if name and name[1] in declared:  # Alternatives in one snippet: a scope for each.
            out.append("do {")
            declared, scopes = set(), scopes + 1
        if name:
            declared.add(name[1])
        out += chunk
    out += ["}"] * scopes + ["}", "}"]
    return "\n".join(out) + "\n", shapes


def shape_problems(shapes):
    """Members that a document declares and the comparison does not mention."""
    for name, chunk in shapes:
        compared = (HERE / "Shapes" / f"{name}.swift").read_text()
        for line in chunk:
            member = MEMBER.search(line.split("//")[0])
            if member and member[1] != name and not re.search(rf"\b{member[1]}\b", compared):
                yield f"Shapes/{name}.swift does not compare {member[1]}"


def compile_(folder, name, lines, modes, flags):
    text, shapes = source(lines)
    file = folder / f"{name}.swift"
    file.write_text(text)
    files = [file, HERE / "Prelude.swift"]
    files += [HERE / "Shapes" / f"{shape}.swift" for shape, _ in shapes]
    results = {}
    for mode in modes:
        run = subprocess.run(
            ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", mode,
             "-module-name", "Snippet", *flags, *map(str, files)],
            capture_output=True, text=True)
        errors = [l.replace(f"{folder}/", "") for l in run.stderr.split("\n")
                  if " error: " in l and not l.startswith(" ")]
        errors += list(shape_problems(shapes))
        results[mode] = errors if run.returncode or errors else []
        if run.returncode and not errors:
            results[mode] = [run.stderr.strip().split("\n")[0]]
    return results


def main():
    seeds, folder, *flags = sys.argv[1:]
    folder = pathlib.Path(folder)
    modes = ["5", "6"]
    # The first snippet of two documents is a part of a package manifest, see check.sh.
    tasks = [task for task in snippets(seeds) if task[0] not in ("S0-01", "S1-01")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda t: compile_(folder, t[0], t[1], modes, flags), tasks))
    failures = 0
    print(f"{'snippet':9} {'Swift 5':9} {'Swift 6':9} first line")
    for (name, lines), result in zip(tasks, results):
        marks = ["pass" if not result[mode] else "FAIL" for mode in modes]
        failures += marks.count("FAIL")
        print(f"{name:9} {marks[0]:9} {marks[1]:9} {head(lines).strip()[:60]}")
        for error in sorted({e for errors in result.values() for e in errors}):
            print(f"          {error}")
    print(f"{2 * len(tasks) - failures} of {2 * len(tasks)} compiled")
    sys.exit(1 if failures else 0)


main()
