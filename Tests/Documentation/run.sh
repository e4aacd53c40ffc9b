#!/usr/bin/env bash
# Builds the documentation of every module with swift-docc-plugin, warnings as errors.
set -euo pipefail
cd "$(dirname "$0")"
modules=(RepositoryRuntime RepositorySQL RepositorySQLite RepositoryPostgreSQL RepositoryTesting RepositoryMoving RepositoryObservation
    RepositoryObservability RepositoryRealm RepositoryCoreData RepositoryCompression RepositoryEncryption repository-generator)
mkdir -p ../../.build/docs
for module in "${modules[@]}"; do
    swift package --allow-writing-to-directory ../../.build/docs generate-documentation --product "$module" \
        --output-path "../../.build/docs/$module" --transform-for-static-hosting \
        --hosting-base-path "$module" --warnings-as-errors >"../../.build/docs/$module.log" 2>&1 || {
        grep -A 8 "^error" "../../.build/docs/$module.log" || tail -30 "../../.build/docs/$module.log"
        exit 1
    }
    echo "$module: documented"
done
