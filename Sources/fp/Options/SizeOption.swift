import ArgumentParser

/// `-h`, for the commands that show sizes.
struct SizeOption: ParsableArguments {
    @Flag(name: [.customShort("h"), .customLong("human")], help: "Show sizes as 1.2K, 34M (powers of 1024).")
    var isHuman = false
}
