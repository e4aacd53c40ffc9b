internal import CoreDataFormat

extension FuzzTarget {
    /// The models in stores of Core Data: archives in binary property lists, compressed or not.
    static let coreDataModel = FuzzTarget("core-data-model") { bytes in
        do {
            _ = try StoreModel(archive: bytes, source: "fuzz")
        } catch {
            // Only a CoreDataFileError can be thrown.
        }
        return nil
    }
}
