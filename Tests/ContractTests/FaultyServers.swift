import FileProviderTesting
import FileProviders
import Foundation
import Testing

extension ContractExpectations {
    /// The same place on a server, through a proxy that hurts connections.
    mutating func reachFaultyServers() {
        faulty = { original, faults in
            let original = try #require(original as? WebDAVFileProvider)
            let proxy = try FaultProxy(to: #require(original.configuration.url.port), faults: faults)
            var configuration = original.configuration
            configuration.url = proxy.url(configuration.url)
            configuration.http.loseNoTime()
            return (try WebDAVFileProvider(configuration: configuration, credential: original.credential), proxy)
        }
    }
}

extension HTTPSessionConfiguration {
    /// Gives up silent servers early, and tries again soon.
    mutating func loseNoTime() {
        // Long enough for a server on a busy machine.
        deadlines.idle = 3
        deadlines.work = 3
        retry.maximumRetries = 1
        retry.firstPause = 0.01
        retry.longestPause = 0.05
    }
}
