/// How much of what takes long (kills, faults, random operations, files beyond 4 GiB) to run: a seeded subset, or all
/// of it under `Scripts/check`.
package enum Campaign {
    package static let isFull = TestServer.variable("CAMPAIGN") == "full"
}
