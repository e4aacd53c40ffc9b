#!/usr/bin/env bash
# Builds and tests each sample package, and fails if its generated sources are not those of its schemas.
# The samples share a build folder, so that what they depend on is compiled once.
set -euo pipefail
cd "$(dirname "$0")"
# Flags of the Makefile, which every build here shares.
flags=${REPOSITORY_BUILD_FLAGS:-}
# The same commands for every sample, as in the Makefile.
export SWIFT_DETERMINISTIC_HASHING=1
for sample in */; do
    sample=${sample%/}
    echo "Sample $sample"
    (
        cd "$sample"
        swift package $flags --scratch-path ../.build check-repositories --target "$sample"
        swift build $flags --scratch-path ../.build --build-tests
        env -u SWIFT_DETERMINISTIC_HASHING swift test $flags --scratch-path ../.build --skip-build
    )
done
