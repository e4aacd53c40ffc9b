#!/bin/bash
# Compiles the expected output of every good case of the corpus as a module of its own, in a package whose modules use
# Swift 6 mode, default MainActor isolation, ExistentialAny, InternalImportsByDefault and MemberImportVisibility, and in
# which every warning is an error.
#
# usage: compile-corpus.sh [folder of the package; kept, so that a second run builds only what changed]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
package=${1:-$root/.build/consumers}
mkdir -p "$package/Sources"

# Files are copied only when they differ, and removed when their case is gone.
copy() {
    local from=$1 to=$2 file
    mkdir -p "$to"
    while read -r file; do
        cmp -s "$from/$file" "$to/$file" && continue
        mkdir -p "$(dirname "$to/$file")"
        cp "$from/$file" "$to/$file"
    done < <(cd "$from" && find . -type f)
    while read -r file; do
        [ -e "$from/$file" ] || rm "$to/$file"
    done < <(cd "$to" && find . -type f)
}

targets=""
modules=""
for folder in "$here"/Modules/*/; do
    name=$(basename "$folder")
    copy "$folder" "$package/Sources/$name/"
    targets+="        .target(name: \"$name\", dependencies: [runtime]),"$'\n'
    modules+="\"$name\", "
done
count=0
for folder in "$root"/Tests/Reference/good/*/; do
    name=Case_$(basename "$folder" | tr - _)
    mkdir -p "$package/Sources/$name"
    copy "$folder/expected/" "$package/Sources/$name/Output/"
    if [ -d "$folder/Support" ]; then copy "$folder/Support/" "$package/Sources/$name/Support/"; fi
    targets+="        .target(name: \"$name\", dependencies: [runtime, $modules], swiftSettings: strict),"$'\n'
    count=$((count + 1))
done
for folder in "$package"/Sources/Case_*/; do
    case=$(basename "$folder")
    [[ "$targets" == *"\"$case\""* ]] || rm -r "$folder"
done

# Written every time: SwiftPM looks for new files of a package that it depends on only after a change.
cat > "$package/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let runtime: Target.Dependency = .product(
    name: "RepositoryRuntime", package: "swift-repository-generator")

let strict: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "consumers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-repository-generator", path: "$root")],
    targets: [
$targets    ],
    swiftLanguageModes: [.v6])
MANIFEST
swift build --package-path "$package"
echo "$count cases compiled."
