/// Removal of folders with their contents.
extension FileDriver {
    /// Removes a file, or a folder with all its contents, without following links and without
    /// recursion.
    func removeTree(_ path: String, _ other: StoreFiles? = nil) throws(FileFailure) {
        let files = other ?? held
        var folders: [String] = []
        var emptied: [String] = []
        do throws(FileFailure) {
            try files.unlinkIfPresent(path)
        } catch {
            guard try files.status(of: path)?.kind == .folder else { throw error }
            folders.append(path)
        }
        while let folder = folders.popLast() {
            try changeFiles(in: folder, files) { name throws(FileFailure) in
                let inner = folder + "/" + name
                if try files.status(of: inner)?.kind == .folder {
                    // Move a nested folder up. Paths then stay short, regardless of the depth of
                    // nesting.
                    let moved = temporaryPath()
                    files.forgetFolder(inner)
                    try files.rename(inner, to: moved)
                    folders.append(moved)
                } else {
                    try files.unlinkIfPresent(inner)
                }
                return true
            }
            emptied.append(folder)
        }
        for folder in emptied { try files.removeFolder(folder) }
    }

    /// Passes each name in a folder to a body that may remove it from the folder, until a whole
    /// listing has removed none: some file systems skip names if others are removed meanwhile.
    ///
    /// - Parameter body: Returns whether it has removed the name.
    func changeFiles(
        in folder: String, _ other: StoreFiles? = nil,
        _ body: (String) throws(FileFailure) -> Bool
    ) throws(FileFailure) {
        let files = other ?? held
        var isChanging = true
        while isChanging {
            isChanging = false
            try files.visitNamesIfPresent(in: folder) { name throws(FileFailure) in
                if try body(name) { isChanging = true }
            }
        }
    }
}
