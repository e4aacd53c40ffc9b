#!/usr/bin/env bash
# Builds and tests each sample package, and fails if its generated sources are not those of its schemas.
set -euo pipefail
cd "$(dirname "$0")"
for sample in */; do
    sample=${sample%/}
    echo "Sample $sample"
    (cd "$sample" && swift package check-repositories --target "$sample" && swift test)
done
