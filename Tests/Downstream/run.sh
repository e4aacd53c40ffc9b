#!/usr/bin/env bash
# Uses this package as a stranger would: generates by the plugin, checks, builds and tests.
# The build folder is that of the samples, so that what they all depend on is compiled once.
set -euo pipefail
cd "$(dirname "$0")"
# Flags of the Makefile, which every build here shares.
flags="${REPOSITORY_BUILD_FLAGS:-} --scratch-path ../Samples/.build"
# The same commands as those of the samples, as in the Makefile.
export SWIFT_DETERMINISTIC_HASHING=1
# The versions of its dependencies are looked up anew.
rm -f Package.resolved
swift package $flags --allow-writing-to-package-directory generate-repositories --target Notebook
swift package $flags check-repositories --target Notebook
# The released version is written again as it is committed.
versions=Sources/Notebook/Schemas/Versions
committed=$(mktemp -d)
cp "$versions"/*.yaml "$committed"
rm -r "$versions"
swift package $flags --allow-writing-to-package-directory release-repositories --target Notebook
diff -r "$committed" "$versions"
rm -r "$committed"
swift package $flags check-repositories --target Notebook --released
swift package $flags changes-repositories --target Notebook | grep "No changes since version 1."
# The plugin would hold SwiftPM's lock: it names the tool to run instead.
if refusal=$(timeout 300 swift package $flags --allow-writing-to-package-directory generate-repositories \
    --target Notebook --watch 2>&1); then
    echo "generate-repositories --watch was not refused" && exit 1
fi
grep -q "to watch, run the tool itself: '.*' 'generate' '--schemas' 'Sources/Notebook/Schemas'" <<<"$refusal"
# The other verbs: a picture of the schemas, the JSON Schema, and schemas of a new database and of an existing one.
swift package $flags diagram-repositories --target Notebook | grep "^erDiagram" >/dev/null
swift package $flags schema-repositories | grep '"$schema"' >/dev/null
other=$(mktemp -d)
python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).execute("CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")' \
    "$other/shop.sqlite"
swift package $flags --allow-writing-to-package-directory --allow-writing-to-directory "$other" import-repositories \
    "sqlite:$other/shop.sqlite" --output "$other/Imported" | grep 'Product: table "products", 0 rows' >/dev/null
grep -q "entity: Product" "$other/Imported/Product.yaml"
swift package $flags --allow-writing-to-package-directory --allow-writing-to-directory "$other" init-repositories Shop \
    --schemas "$other/Schemas" | grep "Package.swift" >/dev/null
test -f "$other/Schemas/repositories.yaml"
rm -r "$other"
swift test $flags

# The same program over three stores and two formats prints the same six times.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
actual=$(HOME="$home" XDG_DOCUMENTS_DIR="$home/Documents" XDG_CONFIG_HOME="$home/.config" \
    swift run $flags --skip-build clients-program)
once='read Ada Lovelace 1 ["first"]
read Ada Lovelace 2 ["first"]
recordNotFound - There is no record '"'client'"'.'
expected=$(for _ in 1 2 3 4 5 6; do echo "$once"; done)
diff <(echo "$expected") <(echo "$actual")
echo "The program without a schema prints what it says on every store and in both formats."
