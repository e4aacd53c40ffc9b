#!/usr/bin/env bash
# Builds everything for the Thread Sanitizer, in a folder of its own, and runs the tests of what several threads use.
# First a program with a race is run: a sanitizer that does not find that one would find nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."
export REPOSITORY_SANITIZER=thread
# Without the standard mutex some imports are not needed, which is no fault of the sources.
unset REPOSITORY_STRICT
build=(--sanitize=thread --scratch-path .build-thread --traits PostgreSQL,Observability,Compression,Encryption)
# The order of the traits in the commands of the compiler is that of a set: see the Makefile.
SWIFT_DETERMINISTIC_HASHING=1 swift build "${build[@]}" --build-tests

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
    TSAN_OPTIONS="exitcode=66 suppressions=$PWD/Tests/RacyProgram/suppressions.txt" timeout 1800 \
        bash .ci/with-postgresql swift test "${build[@]}" --skip-build "$@" > "$log" 2>&1 || {
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
run --filter SQLStoreTests
# Not the tests of meaning, which run below as far as several tasks are in them, nor those that are about other processes.
run --filter RepositoryPostgreSQLTests --skip 'Behaviour|Driver|Lint|Failover|Kill|Citus|Unmanaged|Search|Format'
# Whatever several tasks do to one store.
export REPOSITORY_STORE='memory|SQLite|files, JSON|user defaults, JSON|journal'
export REPOSITORY_BEHAVIOUR='concurrency|transactions|observation|batches|updates|unique'
run --filter '\.StoreBehaviourTests|PostgreSQLBehaviourTests'
echo "The Thread Sanitizer has nothing to say."
