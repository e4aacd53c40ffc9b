internal import Foundation
internal import RepositoryRuntime
internal import RepositoryTesting

extension FuzzTarget {
    /// The readers of the formats: what one of them reads, it writes again and reads as the same.
    static let formats = [
        format("json", JSONDataTransformer()), format("cbor", CBORDataTransformer()),
        format("xml", XMLDataTransformer()),
        format("binary-property-list", BinaryPropertyListDataTransformer()),
    ]

    private static func format(_ name: String, _ transformer: any RecordTransformer) -> FuzzTarget {
        FuzzTarget(name) { bytes in
            let data = Data(bytes)
            return flaw(data, transformer, Specimen.self) ?? flaw(data, transformer, Sparse.self)
                ?? flaw(data, transformer, Postcard.self)
        }
    }

    private static func flaw<Record: MappedRecord & Equatable>(
        _ data: Data, _ transformer: any RecordTransformer, _ type: Record.Type
    ) -> String? where Record.Mapper.Record == Record {
        let record: Record
        do {
            record = try transformer.decodeRecord(data, Record.Mapper.self)
        } catch {
            return error is RecordDecodingError
                ? nil : "\(type) is refused by another error: \(error)"
        }
        do {
            let written = try transformer.encodeRecord(record, Record.Mapper.self)
            let again = try transformer.decodeRecord(written, Record.Mapper.self)
            let rewritten = try transformer.encodeRecord(again, Record.Mapper.self)
            // Property lists and CBOR hold what is not a number: then two readings of the same bytes differ. A record
            // equals itself even so, as lists and maps that share their memory are not compared.
            let twin = try transformer.decodeRecord(data, Record.Mapper.self)
            let isSame = again == record || twin != record
            return written == rewritten && isSame ? nil : "\(type) changes when it is written."
        } catch let error as CRUDRepositoryError where error.code == .unsupported {
            // A text that one spelling of the format can hold, and ours cannot.
            return nil
        } catch let error as CRUDRepositoryError
            where error.code == .invalidItem && spellsNoNumber(data)
        {
            // Others write infinities and what is not a number into XML; we read them, and write none.
            return nil
        } catch let error as CRUDRepositoryError
            where error.code == .invalidItem && error.message.contains("a date out of range")
        {
            // Readers accept more dates than writers: what other programs stored stays readable.
            return nil
        } catch {
            return "\(type) was read, and cannot be written and read again: \(error)"
        }
    }

    private static func spellsNoNumber(_ data: Data) -> Bool {
        let text = String(decoding: data, as: UTF8.self).lowercased()
        return text.contains("inf") || text.contains("nan")
    }
}
