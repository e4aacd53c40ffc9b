internal import Foundation

/// A format for items of any `Codable` type, defined by its writer, its reader and its native
/// types.
///
/// Encoding takes two steps: ``TreeEncoder`` builds a ``DocumentNode``, which is then written.
/// Decoding takes the reverse steps with ``TreeDecoder``. Records with a mapper are encoded and
/// decoded without a tree.
struct TreeFormat<Writer: DocumentWriter, Reader: DocumentTreeReader> {
    /// The types for which the format has its own representation.
    let natives: NativeTypes

    /// Encodes an item: with its mapper if it has one, otherwise with `Codable`.
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

    /// Writes a value by way of a tree.
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

    /// Decodes an item: with its mapper if it has one, otherwise with `Codable`.
    func item<T: Decodable>(of data: Data, by transformer: some RecordTransformer) throws -> T {
        do {
            if let item = try transformer.decodeMapped(T.self, data) { return item }
        } catch {
            throw TransformerErrors.decoding(error, as: T.self) { false }
        }
        return try data.withUnsafeBytes { try read(T.self, from: $0) }
    }

    /// Reads a value by way of a tree. Nothing may follow the value.
    ///
    /// - Throws: `itemTypeMismatch` if the bytes are well-formed, and `invalidRecord` otherwise.
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
