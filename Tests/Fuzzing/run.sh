#!/usr/bin/env bash
# Runs libFuzzer on what reads foreign bytes, each target for a number of seconds, two at once.
# usage: run.sh SECONDS [TARGET …]
# An input that shows a flaw is left in .build-fuzz/found; whatever reaches new code is added to .build-fuzz/corpus. After
# a flaw is mended its input belongs into Tests/Fuzzing/Corpus, which every run of the tests reads. The inputs named 'grown-'
# there are those of a grown corpus that reach the most new code, of at most 1,100 bytes each: a run starts from them.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds="$1"
shift
targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
    for folder in Tests/Fuzzing/Corpus/*/; do targets+=("$(basename "$folder")"); done
fi
export REPOSITORY_SANITIZER=fuzzer
# Swift's own report of a crash ends the program before libFuzzer has kept the input.
export SWIFT_BACKTRACE=enable=no
swift build -c release --sanitize=fuzzer --scratch-path .build-fuzz --product fuzz

fuzz() {
    local grown=".build-fuzz/corpus/$1" found=".build-fuzz/found/$1/" log=".build-fuzz/$1.log"
    mkdir -p "$grown" "$found"
    if FUZZ="$1" .build-fuzz/release/fuzz -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=65536 -artifact_prefix="$found" "$grown" "Tests/Fuzzing/Corpus/$1" > "$log" 2>&1
    then
        echo "$1: $(grep -E '^Done' "$log"), no flaw"
    else
        echo "$1: a flaw, see $log"
        grep -vE '^#[0-9]+' "$log" | tail -5
        return 1
    fi
}
export -f fuzz
export seconds
printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c 'fuzz {}'
