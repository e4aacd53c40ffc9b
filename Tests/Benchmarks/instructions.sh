#!/bin/bash
# Tells how many instructions an operation of each line takes: ours, and its limit.
# usage: instructions.sh <package> <word>
set -euo pipefail
package=$1
word=$2
command -v valgrind >/dev/null || { echo "valgrind is needed: apt install valgrind"; exit 1; }
benchmarks=$package/Tests/Benchmarks/.build/release/benchmarks
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Each part that is timed leaves a dump of its own; those besides are what comes before and after.
count() {
    rm -f "$folder"/*
    SIDE=$1 valgrind --tool=callgrind --callgrind-out-file="$folder/dump" \
        --zero-before=counting_begin --dump-before=counting_end \
        "$benchmarks" "$package" "$2" >"$folder/lines" 2>"$folder/messages" ||
        { cat "$folder/messages"; exit 1; }
    awk -F '\t' '
        FILENAME ~ /lines$/ { name[FNR] = $1; operations[FNR] = $2; next }
        /^totals: / { split($0, total, " "); instructions[++dumps] = total[2] }
        END { for (n = 1; n in name; n++)
            printf "%s\t%.0f\n", name[n], operations[n] ? instructions[n] / operations[n] : 0 }
    ' "$folder/lines" $(ls "$folder"/dump.* | sort -t . -k 2n)
}

count ours "$word" >"$folder.ours"
count limit "$word" >"$folder.limit"
echo '| workload | ours | limit | ours/limit |'
echo '|---|---|---|---|'
paste "$folder.ours" "$folder.limit" | awk -F '\t' '
    { printf "| %s | %d | %d | %s |\n", $1, $2, $4, $4 ? sprintf("%.2f×", $2 / $4) : "—" }'
rm -f "$folder.ours" "$folder.limit"
