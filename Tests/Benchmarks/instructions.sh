#!/bin/bash
# Tells how many instructions an operation of each line takes, ours and its limit: unlike times, they do not depend on what is
# in the caches of the processor, nor on what else the machine does.
# usage: instructions.sh <package> <word>
set -euo pipefail
package=$1
word=$2
command -v valgrind >/dev/null || { echo "valgrind is needed: apt install valgrind"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Without what Valgrind may not be able to read: the descriptions for debuggers.
strip -g -o "$folder/benchmarks" "$package/Tests/Benchmarks/.build/release/benchmarks"

# What is timed ends with every second dump; the others hold what is made ready.
count() {
    mkdir "$folder/$1"
    SIDE=$1 valgrind --tool=callgrind --demangle=no --callgrind-out-file="$folder/$1/dump" \
        --dump-before=counting_begin --dump-before=counting_end \
        "$folder/benchmarks" "$package" "$word" >"$folder/$1/lines" 2>"$folder/$1/messages" ||
        { cat "$folder/$1/messages"; exit 1; }
    for dump in $(ls "$folder/$1" | sed -n 's/^dump\.//p' | sort -n | awk 'NR % 2 == 0'); do
        awk '/^totals: / { print $2 }' "$folder/$1/dump.$dump"
    done | paste "$folder/$1/lines" - |
        awk -F '\t' '{ printf "%s\t%.0f\n", $1, $2 ? $3 / $2 : 0 }' >"$folder/$1/table"
}

count ours
count limit
echo '| workload | ours | limit | ours/limit |'
echo '|---|---|---|---|'
paste "$folder/ours/table" "$folder/limit/table" | awk -F '\t' '
    { printf "| %s | %d | %d | %s |\n", $1, $2, $4, $4 ? sprintf("%.2f×", $2 / $4) : "—" }'
