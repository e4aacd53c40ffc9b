#!/bin/bash
# Compiles the expected output of every good case of the corpus as a module of its own, in a package whose modules use
# Swift 6 mode, default MainActor isolation, ExistentialAny, InternalImportsByDefault and MemberImportVisibility, and in
# which every warning is an error.
#
# Three cases, one of each access level, are compiled again beside files of their module that import the same modules: with
# every level where InternalImportsByDefault is on, and in modules where it is off. There a file without a level allows no
# restricted one elsewhere, so that the neighbours of internal and package output say `import` or `public import`.
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
# neighbour FOLDER LEVEL …: a file for each level that imports what the output imports, and uses it at that level.
neighbours() {
    local folder=$1 level access
    shift
    mkdir -p "$folder"
    for level in "$@"; do
        access=${level/plain/internal}
        {
            echo "${level/plain/} import Foundation"
            echo "${level/plain/} import RepositoryRuntime"
            echo "$access struct Neighbour_$level {"
            echo "    $access var date: Foundation.Date"
            echo "    $access var date2: RepositoryRuntime.StoredDate"
            echo "}"
        } | sed 's/^ import/import/' > "$folder/$level.new"
        cmp -s "$folder/$level.new" "$folder/$level.swift" || cp "$folder/$level.new" "$folder/$level.swift"
        rm "$folder/$level.new"
    done
}
for access in public package internal; do
    from=$root/Tests/Reference/good/settings-access-$access/expected
    if [ $access = public ]; then from=$root/Tests/Reference/good/id-composite/expected; fi
    for feature in on off plain; do
        [ $access$feature != internaloff ] && [ $access$feature != packageoff ] || continue
        name=Case_imports_${access}_$feature
        copy "$from/" "$package/Sources/$name/Output/"
        if [ $feature = on ]; then
            neighbours "$package/Sources/$name/Neighbours" plain public package internal
            settings=strict
        elif [ $feature = off ]; then
            neighbours "$package/Sources/$name/Neighbours" public package internal
            settings=explicit
        else
            neighbours "$package/Sources/$name/Neighbours" plain public
            settings=explicit
        fi
        targets+="        .target(name: \"$name\", dependencies: [runtime], swiftSettings: $settings),"$'\n'
    done
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

let explicit: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "consumers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-repository-generator", path: "$root")],
    targets: [
$targets    ],
    swiftLanguageModes: [.v6])
MANIFEST
swift build ${REPOSITORY_BUILD_FLAGS:-} --package-path "$package"
echo "$count cases compiled."
