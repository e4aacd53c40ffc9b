internal import Foundation
public import RepositoryRuntime

/// A source whose records are sorted by id in temporary files, with a few megabytes of memory for
/// any number of records.
///
/// A type is sorted when it is first read. A second record with the same id is reported as one that
/// cannot be read. The temporary files have no names, and are gone with the source or the process.
public actor SortedSource<Base: UnorderedRecordSource>: RecordSource {
    /// The source that is sorted.
    private let base: Base
    /// The bytes of records that are sorted in memory.
    private let memory: Int
    /// The sorted records by type: `SortedRecords` of that type.
    private var sorted: [ObjectIdentifier: AnyObject] = [:]

    /// What is read.
    public nonisolated let name: String

    /// Sorts the records of a source.
    public init(_ base: Base) { self.init(base, memory: 16 << 20) }

    /// Sorts the records of a source, with a number of bytes of them in memory.
    package init(_ base: Base, memory: Int) {
        self.base = base
        self.memory = memory
        name = base.name
    }

    /// Returns the state of the source that is sorted.
    public func state() async throws -> String? { try await base.state() }

    /// Returns the problems of the source that is sorted.
    public func mappingProblems(_ schema: StoreSchema) async throws -> [MappingProblem] {
        try await base.mappingProblems(schema)
    }

    /// Returns the counters of the source that is sorted.
    public func idCounters() async throws -> [String: Int64] { try await base.idCounters() }

    /// Returns the number of records of a type.
    public func count<E: Entity>(_ type: E.Type) async throws -> Int {
        try await base.count(type)
    }

    /// Returns records of a type after an id. The unreadable ones are in the first page.
    public func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E> {
        let records = try await records(of: type)
        let page = try records.page(after: id, limit: limit)
        guard id == nil, !records.failures.isEmpty else { return SourcePage(page) }
        return SourcePage(page, failures: records.failures, last: page.last?.id)
    }

    /// Returns the record with an id.
    public func record<E: Entity>(_ type: E.Type, id: E.ID) async throws -> E? {
        try await records(of: type).record(id)
    }

    private func records<E: Entity>(of type: E.Type) async throws -> SortedRecords<E> {
        if let found = sorted[ObjectIdentifier(type)] as? SortedRecords<E> { return found }
        let records = SortedRecords<E>(memory: memory)
        try await base.forEachRecord(type) { try records.add($0) }
        try records.finish()
        sorted[ObjectIdentifier(type)] = records
        return records
    }
}

/// The records of one type in a temporary file, in id order.
private final class SortedRecords<E: Entity> {
    /// The bytes of some records in the file.
    private struct Run {
        var offset: UInt64
        var end: UInt64
    }

    private let memory: Int
    private let transformer = CBORDataTransformer()
    /// The records that are not written yet, each with its bytes.
    private var buffer: [(id: E.ID, bytes: Data)] = []
    private var bufferedBytes = 0
    private var file: (any ScratchFile)?
    private var end: UInt64 = 0
    private var runs: [Run] = []
    /// Where every 128th record is in the sorted file.
    private var marks: [(id: E.ID, offset: UInt64)] = []
    /// The external data of the records, which a document has only the hash of.
    private var external: [String: ExternalData] = [:]
    private(set) var failures: [RecordFailure] = []

    init(memory: Int) { self.memory = memory }

    /// Adds a record in any order.
    func add(_ record: SourceRecord<E>) throws {
        switch record {
        case .failure(let failure): failures.append(failure)
        case .record(let entity):
            if !E.Mapper.table.externalFields.isEmpty {
                var copy = entity
                E.Mapper.changeExternalData(of: &copy) {
                    external[$0.description] = $0
                    return $0
                }
            }
            let bytes = try transformer.encodeRecord(entity, E.Mapper.self)
            buffer.append((entity.id, bytes))
            bufferedBytes += bytes.count + 64
            if bufferedBytes >= memory { try writeRun() }
        }
    }

    /// Sorts what was added.
    func finish() throws {
        try writeRun()
        var readers = try runs.map { try Reader(file, $0.offset, $0.end, transformer) }
        let isSorted = runs.count == 1
        let start = isSorted ? runs[0].offset : end
        var (offset, count) = (start, 0)
        var last: E.ID?
        var output = Data()
        while let next = readers.indices.filter({ readers[$0].id != nil }).min(by: {
            Self.precedes(readers[$0].id, readers[$1].id)
        }) {
            guard let id = readers[next].id else { break }
            let bytes = readers[next].bytes
            try readers[next].advance()
            if let last, !(last < id) {
                failures.append(
                    RecordFailure(
                        table: E.Mapper.table.name, id: id.description,
                        reason: "another record has the same id"))
                // A sorted run stays as it is: its readers skip such a record.
                if isSorted { offset += UInt64(4 + bytes.count) }
                continue
            }
            last = id
            if count % 128 == 0 { marks.append((id, offset)) }
            count += 1
            offset += UInt64(4 + bytes.count)
            if !isSorted {
                Self.append(bytes, to: &output)
                if output.count > 1 << 18 { try write(&output) }
            }
        }
        if !isSorted { try write(&output) }
        runs = [Run(offset: start, end: isSorted ? offset : end)]
    }

    private static func precedes(_ left: E.ID?, _ right: E.ID?) -> Bool {
        guard let left, let right else { return left != nil }
        return left < right
    }

    private func writeRun() throws {
        guard !buffer.isEmpty else { return }
        // Of equal ids, the first one is kept.
        let order = buffer.indices.sorted {
            buffer[$0].id < buffer[$1].id
                || (!(buffer[$1].id < buffer[$0].id) && $0 < $1)
        }
        let start = end
        var output = Data()
        for index in order {
            Self.append(buffer[index].bytes, to: &output)
            if output.count > 1 << 18 { try write(&output) }
        }
        try write(&output)
        runs.append(Run(offset: start, end: end))
        buffer = []
        bufferedBytes = 0
    }

    private static func append(_ bytes: Data, to output: inout Data) {
        withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { output.append(contentsOf: $0) }
        output.append(bytes)
    }

    private func write(_ output: inout Data) throws {
        guard !output.isEmpty else { return }
        let file = try self.file ?? ScratchSpace.temporaryFile()
        self.file = file
        try output.withUnsafeBytes { try file.write($0, at: end) }
        end += UInt64(output.count)
        output.removeAll(keepingCapacity: true)
    }

    /// Returns records after an id.
    func page(after id: E.ID?, limit: Int) throws -> [E] {
        var page: [E] = []
        try read(from: id) { entity in
            if let id, !(id < entity.id) { return true }
            if let last = page.last?.id, !(last < entity.id) { return true }
            if page.count < limit { page.append(entity) }
            return page.count < limit
        }
        return page
    }

    /// Returns the record with an id.
    func record(_ id: E.ID) throws -> E? {
        var found: E?
        try read(from: id) { entity in
            if found == nil, entity.id == id { found = entity }
            return entity.id < id
        }
        return found
    }

    /// Reads records from the last mark that is not after an id, until a closure returns false.
    private func read(from id: E.ID?, _ body: (E) throws -> Bool) throws {
        guard let run = runs.first else { return }
        var offset = run.offset
        if let id {
            // The number of marks that are not after the id.
            var (low, high) = (0, marks.count)
            while low < high {
                let middle = (low + high) / 2
                if id < marks[middle].id { high = middle } else { low = middle + 1 }
            }
            if low > 0 { offset = marks[low - 1].offset }
        }
        var reader = try Reader(file, offset, run.end, transformer)
        while var entity = reader.entity {
            if !external.isEmpty {
                E.Mapper.changeExternalData(of: &entity) { external[$0.description] ?? $0 }
            }
            guard try body(entity) else { return }
            try reader.advance()
        }
    }

    /// Reads records one after the other.
    private struct Reader {
        private let file: (any ScratchFile)?
        private var offset: UInt64
        private let end: UInt64
        private let transformer: CBORDataTransformer
        private var chunk: ArraySlice<UInt8> = []
        /// The current record; nil at the end.
        private(set) var entity: E?
        private(set) var bytes = Data()
        var id: E.ID? { entity?.id }

        init(
            _ file: (any ScratchFile)?, _ offset: UInt64, _ end: UInt64,
            _ transformer: CBORDataTransformer
        ) throws {
            (self.file, self.offset, self.end) = (file, offset, end)
            self.transformer = transformer
            try advance()
        }

        mutating func advance() throws {
            entity = nil
            guard let head = try take(4) else { return }
            let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard let content = try take(count) else { return }
            bytes = Data(content)
            entity = try transformer.decodeRecord(bytes, E.Mapper.self)
        }

        private mutating func take(_ count: Int) throws -> ArraySlice<UInt8>? {
            if chunk.count < count {
                let wanted = Int(min(UInt64(max(count, 1 << 16)), end - offset + 1))
                let missing = min(wanted, Int(end - offset))
                guard chunk.count + missing >= count, let file else { return nil }
                chunk = chunk + (try file.bytes(at: offset, count: missing))
                offset += UInt64(missing)
            }
            defer { chunk = chunk.dropFirst(count) }
            return chunk.prefix(count)
        }
    }
}
