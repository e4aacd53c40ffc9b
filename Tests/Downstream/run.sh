#!/usr/bin/env bash
# Uses this package as a stranger would: generates by the plugin, checks, builds and tests, from clean.
set -euo pipefail
cd "$(dirname "$0")"
rm -rf .build Package.resolved
swift package --allow-writing-to-package-directory generate-repositories --target Notebook
swift package check-repositories --target Notebook
swift test
