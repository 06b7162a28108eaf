import ArgumentParser

/// A saved remote whose vault is used: its name, with or without the colon of a location.
struct VaultArgument: ExpressibleByArgument {
    /// The location of the remote's root directory.
    let location: LocationArgument

    init(argument: String) {
        let bytes = ArgumentText.decode(argument)
        location = LocationArgument(bytes: bytes.contains(UInt8(ascii: ":")) ? bytes : bytes + [UInt8(ascii: ":")])
    }
}
