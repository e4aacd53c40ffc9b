#!/usr/bin/env bash
# Builds everything for the Thread Sanitizer, in a folder of its own, and runs the tests of what several threads use.
# First a program with a race is run: a sanitizer that does not find that one would find nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
export REPOSITORY_SANITIZER=thread
# Without the standard mutex some imports are not needed, which is no fault of the sources.
unset REPOSITORY_STRICT
build=(--sanitize=thread --scratch-path .build-thread)
swift build "${build[@]}" --build-tests

said="$(.build-thread/debug/racy-program 2>&1)" && found=no || found=yes
# "data race" or "Swift access race", as the two threads happen to meet.
if [[ $found == no || ! $said =~ "WARNING: ThreadSanitizer: "[A-Za-z\ ]*race ]]; then
    echo "The sanitizer did not find the race of racy-program:"
    echo "$said"
    exit 1
fi
echo "The race of racy-program was found."

log=.build-thread/tests.log
run() {
    TSAN_OPTIONS="exitcode=66 suppressions=$PWD/Tests/RacyProgram/suppressions.txt" timeout 1800 swift test "${build[@]}" --skip-build "$@" > "$log" 2>&1 || {
        grep -E "WARNING: ThreadSanitizer|✘|SUMMARY" "$log" || tail -20 "$log"
        exit 1
    }
    if grep -q "WARNING: ThreadSanitizer" "$log"; then
        grep -A 20 "WARNING: ThreadSanitizer" "$log"
        exit 1
    fi
    grep -E "^✔ Test run" "$log"
}
run --filter 'RepositoryRuntimeTests|RepositorySQLiteTests' \
    --skip 'StoreFailureTests|RandomQueryTests|RandomSelectionTests|SQLiteBehaviourTests|WrongQueryTests'
# Whatever several tasks do to one store.
export REPOSITORY_STORE='memory|SQLite|files, JSON|user defaults, JSON|journal'
export REPOSITORY_BEHAVIOUR='concurrency|transactions|observation|batches|updates|unique'
run --filter StoreBehaviourTests
echo "The Thread Sanitizer has nothing to say."
