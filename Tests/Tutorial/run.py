#!/usr/bin/env python3
"""Runs the steps of the article 'From an empty folder to a tested app' in an empty folder.

A comment before a block of the article says what is done with it:

  file: PATH      the block is written to the file
  edit: PATH      the line of the file that begins like the first line of the block, up to the first
                  colon, becomes the block
  command         the block is run; with ': fails' it must fail, and with ': first record' the time
                  since the start is printed, which must be less than three minutes
  output          each line of the block is in what the last command printed, in this order
  not run: …      nothing is done, for the reason given

usage: run.py [--warm]      with --warm, the folder of the samples' build is used again
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARTICLE = ROOT / "Sources/RepositoryRuntime/Documentation.docc/FromAnEmptyFolder.md"
ADDRESS = '.package(url: "…/swift-repository-generator.git", from: "0.1.0")'
CHECKOUT = f'.package(name: "swift-repository-generator", path: "{ROOT}")'
LONGEST = 180


def fail(message):
    sys.exit(f"{ARTICLE.relative_to(ROOT)}:{message}")


def steps(text):
    """The blocks of the article: line, comment and code."""
    comment, code, start = None, None, 0
    for number, line in enumerate(text.split("\n"), 1):
        if code is not None:
            if line == "```":
                yield start, comment, "\n".join(code) + "\n"
                comment, code = None, None
            else:
                code.append(line)
        elif line.startswith("```"):
            if comment is None:
                fail(f"{number}: the block has no comment that says what to do with it")
            code, start = [], number
        elif line.startswith("<!-- "):
            comment = line.removeprefix("<!-- ").removesuffix(" -->")
        elif line:
            comment = None


def edit(path, code):
    """Replaces the line that the first line of the code changes, by its first word or words."""
    lines = path.read_text().split("\n")
    first = code.split("\n")[0]
    begin = first.split(":")[0] + ":"
    if "renamedFrom: " in first:
        begin = "  " + first.split("renamedFrom: ")[1].split(" ")[0].rstrip(",}") + ":"
    places = [index for index, line in enumerate(lines) if line.startswith(begin)]
    if len(places) != 1:
        return False
    lines[places[0]] = code.rstrip("\n")
    path.write_text("\n".join(lines))
    return True


def run(code, folder, environment, number):
    """Runs the commands of a block; returns whether all succeeded, and what they printed."""
    process = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", environment.get("BASH_PRELUDE", "") + code],
        cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    return process.returncode == 0, process.stdout


def main():
    environment = dict(os.environ)
    if "--warm" in sys.argv[1:]:
        environment["SWIFTPM_BUILD_DIR"] = str(ROOT / "Tests/Samples/.build")
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        # Other flags than those of the samples' build would compile everything again.
        environment["BASH_PRELUDE"] = (
            'swift() { command swift "$1" ${REPOSITORY_BUILD_FLAGS:-} "${@:2}"; }\n')
    text = ARTICLE.read_text()
    with tempfile.TemporaryDirectory() as home:
        folder, printed, begin, count = pathlib.Path(home), "", time.monotonic(), 0
        for number, comment, code in steps(text):
            kind, _, argument = comment.partition(": ")
            if kind == "file" or kind == "edit":
                path = folder / argument
                if kind == "edit":
                    if not edit(path, code):
                        fail(f"{number}: the block changes no line of {argument}")
                else:
                    if argument == "Package.swift":
                        if ADDRESS not in code:
                            fail(f"{number}: the package is not named by its address")
                        code = code.replace(ADDRESS, CHECKOUT)
                    path.write_text(code)
            elif kind == "command":
                succeeded, printed = run(code, folder, environment, number)
                if succeeded == (argument == "fails"):
                    fail(f"{number}: the commands {'succeed' if succeeded else 'fail'}\n{printed}")
                if argument == "first record":
                    seconds = time.monotonic() - begin
                    print(f"Tutorial: the first record was stored after {seconds:.0f} s.")
                    if seconds > LONGEST:
                        fail(f"{number}: more than {LONGEST} s")
                # The first command makes the folder of the package, in which all others run.
                if folder == pathlib.Path(home):
                    folder = folder / "ReadingList"
            elif kind == "output":
                rest = printed
                for line in code.rstrip("\n").split("\n"):
                    _, found, rest = rest.partition(line)
                    if not found:
                        fail(f"{number}: the last command does not print '{line}'\n{printed}")
            elif kind != "not run" or not argument:
                fail(f"{number}: the comment '{comment}' says nothing about the block")
            count += kind != "not run"
        print(f"Tutorial: {count} steps, {time.monotonic() - begin:.0f} s.")


main()
