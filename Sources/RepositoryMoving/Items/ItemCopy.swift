internal import Foundation
public import RepositoryRuntime

/// Copies and comparisons of four-method repositories, whose items are any `Codable` values.
public enum ItemCopy {
    /// Compares the items of two repositories. Writes nothing.
    ///
    /// Items are compared by their canonical CBOR encoding, so that the formats of the repositories
    /// may differ.
    ///
    /// - Parameters:
    ///   - type: the type of the items.
    ///   - source: the first repository: one of this package.
    ///   - target: the second one.
    /// - Returns: A report with one table, `items`.
    /// - Throws: `unsupported` for a repository of somebody else, which cannot list its items.
    public static func compare<T: Codable & Sendable>(
        _ type: T.Type, _ source: any CRUDRepository, _ target: any CRUDRepository
    ) async throws -> MoveReport {
        let (left, right) = (try await ids(source), try await ids(target))
        var table = MoveReport.Table(name: "items")
        var (one, two) = (TableDigest(), TableDigest())
        for id in Set(left).union(right).sorted() {
            let ours = try await item(type, id, left, source, .unreadableInSource, &table)
            let theirs = try await item(type, id, right, target, .unreadableInTarget, &table)
            if let ours {
                one.add(ours)
                table.sourceCount += 1
            }
            if let theirs {
                two.add(theirs)
                table.targetCount += 1
            }
            switch (ours, theirs) {
            case (let ours?, let theirs?) where ours == theirs: table.equal += 1
            case (_?, _?): note(.different, id, &table.different, &table.differences)
            case (_?, nil) where !right.contains(id):
                note(.missing, id, &table.missing, &table.differences)
            case (nil, _?) where !left.contains(id):
                note(.surplus, id, &table.surplus, &table.differences)
            default: continue
            }
        }
        (table.sourceDigest, table.targetDigest) = (one.text, two.text)
        var report = MoveReport(
            set: "\(type)", source: "\(Swift.type(of: source))", target: "\(Swift.type(of: target))"
        )
        report.tables = [table]
        report.isComplete = table.missing == 0 && table.different == 0 && table.unreadable == 0
        return report
    }

    /// Copies the items of a repository into another one, and compares both afterwards.
    ///
    /// A copy that was interrupted goes on when it is called again: items that are equal on both
    /// sides are not written.
    ///
    /// - Parameters:
    ///   - type: the type of the items. An item of another type is a difference.
    ///   - source: the repository that is read: one of this package.
    ///   - target: the repository that is written: one of this package.
    ///   - replacing: whether items of the target that differ are replaced.
    /// - Returns: The report of the comparison.
    /// - Throws: `stopped`, with the report, if an item is not in the target afterwards;
    ///   `nothingToMove` if the source has no items.
    @discardableResult
    public static func copy<T: Codable & Sendable>(
        _ type: T.Type, from source: any CRUDRepository, to target: any CRUDRepository,
        replacing: Bool = false
    ) async throws -> MoveReport {
        let ids = try await ids(source)
        guard !ids.isEmpty else {
            throw MoveError(
                .nothingToMove, "The source has no items. Nothing was written.", table: "items")
        }
        let there = try await self.ids(target)
        var written = 0
        for id in ids.sorted() {
            try Task.checkCancellation()
            let item: T
            do {
                item = try await source.read(id: id.text)
            } catch let error as CRUDRepositoryError where error.isUnreadable {
                // The comparison lists it.
                continue
            }
            if !there.contains(id) {
                try await target.create(id: id.text, item: item)
                written += 1
            } else if replacing {
                try await target.update(id: id.text, item: item)
                written += 1
            }
        }
        var report = try await compare(type, source, target)
        report.tables[0].written = written
        guard report.isComplete else {
            throw MoveError(
                .stopped, "Not all items are in the target: the report lists them.", table: "items",
                report: report)
        }
        return report
    }

    /// An id, compared by its UTF-8 bytes.
    private struct ItemID: Hashable, Comparable {
        let text: String
        static func == (left: Self, right: Self) -> Bool {
            String.isSameIdentifier(left.text, right.text)
        }
        func hash(into hasher: inout Hasher) { text.hashIdentifier(into: &hasher) }
        static func < (left: Self, right: Self) -> Bool {
            String.identifierPrecedes(left.text, right.text)
        }
    }

    private static func ids(_ repository: any CRUDRepository) async throws -> Set<ItemID> {
        guard let listing = repository as? any ItemListing else {
            throw MoveError(
                .unsupported, "\(type(of: repository)) cannot list its items.", table: "items")
        }
        return Set(try await listing.itemIDs().map { ItemID(text: $0) })
    }

    /// Returns the canonical bytes of an item; nil if it is not there or cannot be read.
    private static func item<T: Codable & Sendable>(
        _ type: T.Type, _ id: ItemID, _ ids: Set<ItemID>, _ repository: any CRUDRepository,
        _ kind: MoveReport.Difference.Kind, _ table: inout MoveReport.Table
    ) async throws -> Data? {
        guard ids.contains(id) else { return nil }
        do {
            let item: T = try await repository.read(id: id.text)
            return try CBORDataTransformer().encode(item)
        } catch let error as CRUDRepositoryError where error.isUnreadable {
            note(kind, id, &table.unreadable, &table.differences)
            return nil
        }
    }

    private static func note(
        _ kind: MoveReport.Difference.Kind, _ id: ItemID, _ count: inout Int,
        _ differences: inout [MoveReport.Difference]
    ) {
        count += 1
        if count <= 20 { differences.append(MoveReport.Difference(kind: kind, id: id.text)) }
    }
}

extension CRUDRepositoryError {
    /// Whether an item is there and cannot be read as the wanted type.
    fileprivate var isUnreadable: Bool { code == .invalidRecord || code == .itemTypeMismatch }
}
