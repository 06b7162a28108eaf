import TestSupport

/// How much of a long campaign to run: a seeded subset, or all of it under `Scripts/check`.
enum Campaign {
    static let isFull = TestServer.variable("CAMPAIGN") == "full"
}
