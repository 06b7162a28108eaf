import ArgumentParser
import FileProviders

/// `--include` and `--exclude`, which apply in the order in which they were given.
struct FilterOptions: ParsableArguments {
    @Option(
        name: .customLong("include"),
        help: ArgumentHelp(
            "Let matching items take part; the first --include or --exclude that matches an item decides. With "
                + "--include alone, files that none matches are left out.",
            valueName: "glob"))
    var includes: [String] = []

    @Option(
        name: .customLong("exclude"),
        help: ArgumentHelp(
            "Leave matching items out, in gitignore's syntax: '*.o', '/build/', 'cache/**'; '!keep.o' is let take part, and "
                + "comes before what it is an exception from.",
            valueName: "glob"))
    var excludes: [String] = []

    /// Returns the rules in their order, which only the arguments themselves still contain.
    func filter(orderedBy arguments: [String]) -> TransferFilter {
        var includes = includes[...]
        var excludes = excludes[...]
        var rules: [TransferFilter.Rule] = []
        for argument in arguments {
            if isOption("--include", argument), let pattern = includes.popFirst() {
                rules.append(TransferFilter.Rule(pattern, includes: true))
            } else if isOption("--exclude", argument), let pattern = excludes.popFirst() {
                rules.append(TransferFilter.Rule(pattern, includes: false))
            }
        }
        return TransferFilter(rules)
    }

    private func isOption(_ name: String, _ argument: String) -> Bool {
        argument == name || argument.hasPrefix("\(name)=")
    }
}

extension TransferFilter.Rule {
    /// Parses what a user wrote: an exclamation mark means the opposite, `\!` is a literal one.
    fileprivate init(_ text: String, includes: Bool) {
        let bytes = Array(ArgumentText.decode(text))
        let isNegated = bytes.first == UInt8(ascii: "!")
        self.init(
            includes: includes != isNegated, pattern: isNegated ? Array(bytes.dropFirst()) : bytes,
            isException: isNegated && !includes)
    }
}
