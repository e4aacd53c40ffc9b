internal import Foundation

/// A format as its writer, its reader, and what it has forms for: how items of any `Codable` type are stored in it.
struct TreeFormat<Writer: DocumentWriter, Reader: DocumentTreeReader> {
    let natives: NativeTypes

    /// The document of an item: through its mapper where it has one, otherwise through `Codable`.
    func document<T: Encodable>(of item: T, by transformer: some RecordTransformer) throws -> Data {
        if let record = item as? any MappedRecord { return try transformer.encodeMapped(record) }
        var writer = Writer()
        do {
            try write(item, to: &writer)
            return try writer.takeDocument()
        } catch {
            writer.discard()
            throw error
        }
    }

    func write<T: Encodable>(_ value: T, to writer: inout Writer) throws {
        do {
            let node = try TreeEncoder.tree(of: value, natives: natives)
            try node.write(to: &writer)
        } catch let failure as FieldFailure {
            throw failure.repositoryError
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// The item of its bytes: through its mapper where it has one, otherwise through `Codable`.
    func item<T: Decodable>(of data: Data, by transformer: some RecordTransformer) throws -> T {
        do {
            if let item = try transformer.decodeMapped(T.self, data) { return item }
        } catch {
            throw TransformerErrors.decoding(error, as: T.self) { false }
        }
        return try data.withUnsafeBytes { try read(T.self, from: $0) }
    }

    func read<T: Decodable>(_ type: T.Type, from bytes: UnsafeRawBufferPointer) throws -> T {
        let node: DocumentNode
        do {
            var reader = try Reader(bytes)
            node = try reader.readNode()
            try reader.finish()
        } catch {
            var error = RecordDecodingError.converted(error)
            error.isMismatch = Reader.isWellFormed(bytes)
            throw TransformerErrors.decoding(error, as: type) { false }
        }
        do {
            return try TreeDecoder.value(
                type, of: node, natives: natives, lastDuplicateWins: Reader.lastDuplicateWins)
        } catch {
            throw TransformerErrors.decoding(error, as: type) { true }
        }
    }
}
