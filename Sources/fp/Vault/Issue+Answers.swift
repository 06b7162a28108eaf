import CloudCore
import FileProviders
import Foundation

extension CloudCore.Issue {
    /// The answers that `fp vault resolve` takes: a remote keeps its address.
    var answers: [Choice] { choices.filter { $0.answer != .follow } }

    /// The certificate that an answer would trust.
    var certificate: ServerCertificate? { if case .certificate(let certificate) = subject { certificate } else { nil } }

    /// The server's new address.
    var address: URL? { if case .address(let address) = subject { address } else { nil } }
}
