// offline-notes URL FOLDER: notes on a server, usable even while it is unavailable. Reads commands from standard input:
//   write TITLE TEXT…   remove TITLE   read TITLE   wait (until everything has been sent)
// Ends at the end of the input; what has not been sent by then is sent by the next run.

import CloudCore
import FileProviders
import Foundation
import Notes
import ProviderAdapter

guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[1]) else {
    say("usage: offline-notes URL FOLDER")
    exit(64)
}
let (provider, root) = try ProviderRegistry.standard.open(url)
let notes = try Notes(
    at: url, over: ProviderAdapter(provider, root: root), keptIn: LocalPath(CommandLine.arguments[2]))

/// Writes a line at once, even into a file or a pipe.
@Sendable func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

// If the server can be reached, its contents are known before the first command.
_ = try? await notes.core.scan()
let following = Task {
    await notes.follow { items in
        let lines = items.map { "\($0.name) (\($0.size ?? 0) bytes, \($0.cloudStatus.rawValue))" }
        say("notes: " + (lines.isEmpty ? "none" : lines.joined(separator: ", ")))
    }
}
let watching = Task {
    for await status in notes.core.connectionStatuses { say("server: \(status.rawValue)") }
}
let running = Task { await notes.run() }

while let line = await Task.detached(operation: { readLine() }).value {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    do {
        switch (words.first, words.count) {
        case ("write", 3): try await notes.write(words[2], as: words[1])
        case ("remove", 2): try await notes.remove(words[1])
        case ("read", 2): say("\(words[1]): \(try await notes.read(words[1]))")
        case ("wait", 1):
            while try await !notes.core.syncRecords().isEmpty {
                for issue in try await notes.core.issues() { say("to be decided: \(issue)") }
                try await Task.sleep(for: .seconds(1))
            }
        default: say("write TITLE TEXT, remove TITLE, read TITLE or wait")
        }
    } catch {
        say("not done: \(error.localizedDescription)")
    }
}
for task in [running, following, watching] { task.cancel() }
await running.value
try await notes.core.close()
