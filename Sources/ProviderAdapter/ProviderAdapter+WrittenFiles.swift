import CloudCore
import FileProviding

extension ProviderAdapter {
    /// Looks up files of one directory that were written, and sends their outcomes; also for a task that was cancelled,
    /// since what was done is reported, and most of the files are other tasks'.
    func look(at files: [WrittenFiles.File], in directory: ItemPath) async {
        guard !files.isEmpty else { return }
        await Task { await lookAndTell(files, in: directory) }.value
    }

    private func lookAndTell(_ files: [WrittenFiles.File], in directory: ItemPath) async {
        let listed = files.count < WrittenFiles.worthListing ? [:] : await entries(of: directory, like: files)
        await withDiscardingTaskGroup { group in
            for first in files.indices.prefix(WrittenFiles.batchSize) {
                group.addTask {
                    for index in stride(from: first, to: files.endIndex, by: WrittenFiles.batchSize) {
                        guard let present = listed[files[index].path] else { continue }
                        await files[index].target.send(files[index].outcome(present))
                    }
                }
            }
        }
        for file in files where listed[file.path] == nil { await lookAlone(at: file) }
    }

    private func lookAlone(at file: WrittenFiles.File) async {
        do {
            let present = try await withRoot { try await provider.attributesOfItem(path: file.path) }
            await file.target.send(file.outcome(present))
        } catch {
            await file.target.send(file.outcome(unseen: EventFailure(error)))
        }
    }

    /// Returns what a listing reports about these files; not all of them if it fails, or turns out to be very long.
    private func entries(of directory: ItemPath, like files: [WrittenFiles.File]) async -> [ItemPath: FileObject] {
        let wanted = Set(files.map(\.path))
        var found: [ItemPath: FileObject] = [:]
        var left = files.count * WrittenFiles.longestListing
        do {
            for try await page in provider.listing(path: directory) {
                for entry in page where wanted.contains(entry.path) { found[entry.path] = entry }
                left -= page.count
                if left <= 0 || found.count == wanted.count { break }
            }
        } catch {}  // Each is asked for then, and says what is wrong.
        return found
    }
}
