# make demo    generates, builds and runs the library demo
# make test    what every change must pass; CI also runs `make test-extended`, `test-packages` and `test-encryption`
# make help    lists the rest
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help dependencies generate check demo build test test-extended test-packages test-encryption test-long test-sanitized record slowest unit format lint downstream samples conformance conformance-citus \
    consumers bench instructions grdb fuzz docs docs-check tutorial clean

SWIFT ?= swift
# Warnings are errors in this package's own builds, and only there.
export REPOSITORY_STRICT := 1
# SwiftPM builds the tool of the plugins apart from the modules that the tests are built with. Only what runs plugins needs it.
export REPOSITORY_PLUGINS := 0
demo downstream samples tutorial: export REPOSITORY_PLUGINS := 1
# Python reads what the formats write and judges the JSON Schema; the packages live beside the build, not in the system.
PYTHON_ENVIRONMENT := .build/python
export REPOSITORY_PYTHON := $(CURDIR)/$(PYTHON_ENVIRONMENT)/bin/python3
# What other packages turn on by a trait where they name this one. swift-crypto takes more time to build than any module of
# this package: only the commands named here wait for it, and have a build folder of their own.
TRAITS := PostgreSQL,Observability,Compression
test-encryption test-long record slowest docs-check: TRAITS := PostgreSQL,Observability,Compression,Encryption
test-encryption test-long record slowest docs-check: SCRATCH_PATH := --scratch-path .build-encryption
# A module is compiled as a whole, in one step: the compiler would read its declarations again for each of its parts, and for
# its interface, which takes nearly twice as long in all. There is no debug information. (The index stays, in which SwiftPM
# looks for tests.) Every command has the same flags: others compile everything again. For rounds of small changes, where few
# files are compiled again: `make unit REPOSITORY_BUILD_FLAGS=`.
export REPOSITORY_BUILD_FLAGS := -debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 \
    -Xswiftc -no-emit-module-separately-wmo
OPTIONS = --traits $(TRAITS) $(SCRATCH_PATH) $(REPOSITORY_BUILD_FLAGS)
# SwiftPM writes the traits into each compiler command in the order of a set. Without a fixed seed that order, and so the
# command, differs from run to run, and everything is compiled again. The tests keep the random seed (SCRATCHED).
export SWIFT_DETERMINISTIC_HASHING := 1
GENERATE = $(SWIFT) package $(OPTIONS) --allow-writing-to-package-directory generate-repositories
BENCHMARK_SCHEMAS := Tests/Benchmarks/Sources/Benchmarks/Schemas
# What tests write lies in a temporary folder of each command.
SCRATCHED := bash .ci/with-scratch

help: ## Lists the commands, and where new checks belong.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22
	@echo
	@echo "  'make test' is to end within 12 minutes on two idle cores, 'make demo' within 75 s; a new capability may add 40 s and"
	@echo "  5 s. What makes calls or programs fail one after the other belongs in 'make test-extended' (folders Extended), what"
	@echo "  takes minutes or looks elsewhere each time in 'make test-long'. 'make slowest' says what takes the time."

dependencies: ## Installs missing system libraries with apt or brew, with sudo only if needed.
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.2 or newer is needed: https://www.swift.org/install"; exit 1; }
	@bash .ci/install-dependencies

# The schema folders beside `Schemas`, each with the module of its types.
SCHEMA_FOLDERS := Sources/RepositoryTesting=RepositoryTesting Tests/MusicStore=MusicStoreTests \
    Tests/ForeignDatabases=ForeignDatabaseTests Tests/MigratedTables=MigratedTablesTests \
    Tests/EncryptedFields=EncryptedFieldsTests Tests/RepositoryMoving=RepositoryMovingTests \
    Tests/RealmFiles/Pets=RepositoryRealmTests Tests/RealmFiles/AllTypes=RepositoryRealmTests \
    Tests/CoreDataFiles/Gallery=RepositoryCoreDataTests Tests/CoreDataFiles/Trips=RepositoryCoreDataTests
# Runs a command of the generator on every schema folder of this package.
define ON_ALL_SCHEMAS
	$(SWIFT) build $(OPTIONS) --product repository-generator
	.build/debug/repository-generator $(1)
	for folder in $(SCHEMA_FOLDERS); do \
	    .build/debug/repository-generator $(1) --schemas $${folder%=*}/Schemas --module $${folder#*=}; done
	.build/debug/repository-generator $(1) --schemas $(BENCHMARK_SCHEMAS)
endef
generate: dependencies ## Writes the generated sources of every schema folder of this package.
	$(call ON_ALL_SCHEMAS,generate)

check: dependencies ## Says whether the generated sources are up to date.
	$(call ON_ALL_SCHEMAS,check)

demo: dependencies ## Generates from Schemas, builds, and tells the library's story on every store and format.
	$(GENERATE)
	$(SWIFT) build $(OPTIONS) --product library-demo
	bash .ci/with-postgresql $(SWIFT) run $(OPTIONS) --skip-build library-demo

build: dependencies ## Builds everything, warnings as errors.
	$(SWIFT) build $(OPTIONS) --build-tests

$(PYTHON_ENVIRONMENT)/installed: .ci/install-python
	@mkdir -p .build
	@bash .ci/install-python $(PYTHON_ENVIRONMENT)
	@touch $@

# At most so many tests at a time, where Swift can be told so. All would begin at once otherwise, and each holds what it has
# open until the others let it go on. Besides, Foundation's `Process` reads past the end of a buffer in a process that has more
# than about 1,300 files open, and ends it now and then (swift-corelibs-foundation mended that after Swift 6.3).
# It is looked up by the commands that run tests only.
AT_A_TIME = $(shell $(SWIFT) test --help-hidden 2>/dev/null | \
    grep -o -m 1 -e '--experimental-maximum-parallelization-width ' | sed 's/ /=64/')
# Several commands run tests at a time, and change nothing that the others read.
TESTS = $(SWIFT) test $(OPTIONS) --skip-build --ignore-lock $(AT_A_TIME)
# `make test` builds and runs the modules that test a part of the package by itself, the stores among them. Their folders
# `Extended` make calls, connections and programs fail one after the other, compare random programs, or test the tests: they run
# with the other modules in `make test-extended`. `make test-encryption` runs the last ones.
CORE_TESTS := ArchitectureTests ConditionLanguageTests ReferenceTests RepositoryGeneratorCoreTests RepositoryGeneratorTests \
    RepositoryMovingTests RepositoryObservationTests RepositoryPostgreSQLTests RepositoryRuntimeTests RepositorySQLTests \
    RepositorySQLiteTests RepositorySchemaParserTests RepositorySchemaTests RepositoryTestingTests
EXTENDED_TESTS := CoreDataFormatTests CrashTests ForeignDatabaseTests FuzzingTests ImportedDatabaseTests ImportedServerTests \
    MigratedTablesTests MusicStoreTests NorthwindTests RealmFormatTests RepositoryCoreDataTests RepositoryImportTests \
    RepositoryObservabilityTests RepositoryRealmTests
ENCRYPTION_TESTS := EncryptedFieldsTests GuideCodeTests PublicInterfaceTests RepositoryWrappingTests
# The words of a list as alternatives of a regular expression. An empty evaluation is the only way to write a space.
alternatives = ($(subst $(eval ) ,|,$(strip $(1))))
EXTENDED_SUITES = $(call alternatives,$(shell grep -rhoE '(struct|enum|class) [A-Za-z]+Tests' Tests/*/Extended | sed 's/.* //'))/
EXTENDED = \.$(EXTENDED_SUITES)|^$(call alternatives,$(EXTENDED_TESTS))\.
# What waits for a PostgreSQL server runs beside the others, which compute. The rest is two processes, one after the other, which
# hold less than one.
ON_SERVER := ^(RepositoryPostgreSQLTests|RepositoryMovingTests|EncryptedFieldsTests|ImportedServerTests)\.
ON_STORES := ^(RepositoryRuntimeTests|RepositorySQLTests|RepositorySQLiteTests|RepositoryTestingTests|RepositoryWrappingTests)\.
# Runs tests: those that need neither a server nor stores, those of stores, those on a server, each chosen by options.
define RUN_TESTS
	{ bash .ci/beside \
	        "$(SCRATCHED) $(TESTS) $(1) --skip '$(ON_SERVER)' --skip '$(ON_STORES)' || failed=1; \
	        $(SCRATCHED) $(TESTS) $(2) || failed=1; exit \$${failed:-0}" .build/beside.log \
	    $(SCRATCHED) bash .ci/with-postgresql $(TESTS) $(3); } 2>&1 | tee .build/tests.log || { \
	    echo "What failed, from .build/tests.log:"; \
	    grep -a -A 6 "recorded an issue\|crashed" .build/tests.log | cut -c 1-600 | head -120; exit 1; }
endef
test unit: export REPOSITORY_TESTS := $(CORE_TESTS)
unit: build $(PYTHON_ENVIRONMENT)/installed ## Runs the tests of 'make test', without drift and format.
	$(call RUN_TESTS,,--filter '$(ON_STORES)',--filter '$(ON_SERVER)')

test-extended consumers test-packages: export REPOSITORY_TESTS := $(CORE_TESTS) Extended $(EXTENDED_TESTS)
test-extended: build $(PYTHON_ENVIRONMENT)/installed ## The rest: failures of every call, kills, random programs, imported databases. CI runs it, too.
	$(call RUN_TESTS,--filter '$(EXTENDED)',--filter '$(ON_STORES)$(EXTENDED_SUITES)',\
	    --filter '$(ON_SERVER)$(EXTENDED_SUITES)' --filter '^ImportedServerTests\.')

slowest: build $(PYTHON_ENVIRONMENT)/installed ## Prints the twenty slowest tests by processor time, one at a time; FILTER=regular expression: of some tests.
	$(SCRATCHED) bash .ci/with-postgresql python3 .ci/slowest-tests $(SWIFT) test $(OPTIONS) --skip-build --no-parallel \
	    $(if $(FILTER),--filter '$(FILTER)')

record: build ## Rewrites what tests compare: tables, listings and pictures of the documentation, lists of the public interface.
	$(SCRATCHED) RECORD=1 $(TESTS) --filter \
	    'CapabilityTableTests|ChangeGradeTests|GuideTests|PictureTests|ContextTests|FolderTests|PublicInterfaceTests'

test-long: build $(PYTHON_ENVIRONMENT)/installed ## All tests, with random programs by the hundred thousand, every behaviour in every format, over a thousand kills of each durable store.
	$(SCRATCHED) REPOSITORY_LONG=1 bash .ci/with-postgresql $(TESTS)

conformance: build ## Runs the conformance suite on the PostgreSQL server of URL=postgresql://…, in schemas of its own.
	$(SCRATCHED) REPOSITORY_POSTGRESQL=$(URL) $(TESTS) --filter 'PostgreSQLBehaviourTests|PostgreSQLFormatTests'

conformance-citus: build ## Runs the conformance suite on the coordinator of a Citus cluster, URL=postgresql://…; the other tests skip it.
	$(SCRATCHED) REPOSITORY_POSTGRESQL=$(URL) REPOSITORY_CITUS=$(URL) $(TESTS) --filter 'Citus'

DOWNSTREAM := bash Tests/Downstream/run.sh
downstream: dependencies ## Runs the plugin and the tests of a package that depends on this one.
	$(DOWNSTREAM)

SAMPLES := bash Tests/Samples/run.sh
samples: dependencies ## Builds and tests the sample apps.
	$(SAMPLES)

tutorial: dependencies ## Runs the steps of the article 'From an empty folder to a tested app', and prints the time to the first record.
	python3 Tests/Tutorial/run.py $(if $(WARM),--warm)

CONSUMERS := SWIFTPM_BUILD_DIR=$(CURDIR)/Tests/Samples/.build bash Tests/Consumers/compile-corpus.sh
consumers: build ## Compiles the output of the whole corpus in modules of every setting.
	$(CONSUMERS)

bench: dependencies ## Prints how fast it is beside its limits and peers; ONLY=word: some lines; RECORD=1: also into the docs; POSTGRES_NIO=folder: also beside a copy of PostgresNIO; ONLY=scale RECORDS=n: very many records.
	@mkdir -p .build
	$(SWIFT) build -c release --package-path Tests/Benchmarks
	POSTGRESQL_FSYNC=on RECORD=$(RECORD) bash .ci/with-postgresql Tests/Benchmarks/.build/release/benchmarks . "$(ONLY)" $(RECORDS)

instructions: dependencies ## Prints how many instructions an operation of the lines of ONLY=word takes, with Valgrind.
	$(SWIFT) build -c release --package-path Tests/Benchmarks --product benchmarks
	bash Tests/Benchmarks/instructions.sh . "$(ONLY)"

GRDB_FILE := Tests/ForeignDatabases/Files/GRDB.sqlite
grdb: build ## Lets GRDB write the tests' database and read what this package adds to it; RECORD=1: also keeps the file.
	$(SWIFT) build --package-path Tests/Benchmarks --product grdb-file
	$(if $(RECORD),rm -f $(GRDB_FILE) && Tests/Benchmarks/.build/debug/grdb-file write $(GRDB_FILE))
	$(SCRATCHED) REPOSITORY_GRDB_PROGRAM=$(CURDIR)/Tests/Benchmarks/.build/debug/grdb-file \
	    $(SWIFT) test $(OPTIONS) --skip-build --filter GRDBFileTests

lint: ## Fails where a source is not formatted.
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Generated

format: ## Formats the sources.
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

docs-check: build ## Compiles the Swift code in README.md and the articles.
	$(SCRATCHED) $(TESTS) --filter GuideCodeTests

docs: dependencies ## Builds the documentation of every module, warnings as errors, into .build/docs.
	bash Tests/Documentation/run.sh

test: dependencies lint unit check ## What every change must pass: tests, drift, format.
	@echo "All checks passed."

# The targets that have tests of their own with the trait.
test-encryption: export REPOSITORY_TESTS := $(ENCRYPTION_TESTS) RepositoryTestingTests Extended
test-encryption: build ## Encrypted fields and records, which need swift-crypto, and the Swift code in the articles. CI runs it, too.
	$(SCRATCHED) REPOSITORY_STORE=encrypted bash .ci/with-postgresql $(TESTS) --filter \
	    '^$(call alternatives,$(ENCRYPTION_TESTS))\.|StoreBehaviourTests|RepositoryBehaviourTests'

# The samples have built what the tutorial depends on.
test-packages: WARM := 1
test-packages: dependencies consumers downstream samples tutorial ## Other packages that use this one: the corpus compiled, the plugin, sample apps, the tutorial. CI runs it, too.

test-sanitized: dependencies ## Runs the tests of the runtime and its stores under the Thread Sanitizer.
	$(SCRATCHED) bash Tests/RacyProgram/run.sh

fuzz: dependencies ## Fuzzes what reads foreign bytes with libFuzzer; SECONDS=n for each target, TARGETS="json xml" for some.
	bash Tests/Fuzzing/run.sh $(or $(SECONDS),60) $(TARGETS)

clean: ## Removes what was built.
	rm -rf .build .build-encryption .build-thread .build-fuzz Tests/Samples/.build Tests/Benchmarks/.build \
	    Tests/Documentation/.build
