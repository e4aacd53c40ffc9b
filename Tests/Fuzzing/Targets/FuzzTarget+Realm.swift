internal import RealmFormat

extension FuzzTarget {
    /// Files of Realm, plain or encrypted with the key of the corpus.
    static let realm = FuzzTarget("realm") { bytes in
        let isPlain = bytes.dropFirst(16).prefix(4).elementsEqual("T-DB".utf8)
        do {
            let database = try RealmDatabase(
                bytes: bytes, key: isPlain ? nil : [UInt8](repeating: 1, count: 64))
            let pass = database.pass()
            for table in database.tables { try pass.forEach(of: table) { _ in } }
            return nil
        } catch is RealmFileError {
            return nil
        } catch {
            return "A Realm file is refused by another error: \(error)"
        }
    }
}
