import Foundation

/// Checks a condition.
///
/// - Throws: ``ContractFailure`` with `message` when the condition does not hold.
public func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    guard condition else { throw ContractFailure(message(), file: file, line: line) }
}

/// Checks that two values are equal.
///
/// - Throws: ``ContractFailure`` naming both values when they differ.
public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ what: @autoclosure () -> String = "value", file: StaticString = #fileID,
    line: UInt = #line
) throws {
    guard actual != expected else { return }
    throw ContractFailure(
        "\(what()): expected \(shown(expected)), got \(shown(actual))", file: file, line: line)
}

/// Checks that the bytes are equal.
///
/// - Throws: ``ContractFailure`` saying where the bytes begin to differ.
public func expectEqual(
    _ actual: Data, _ expected: Data, _ what: @autoclosure () -> String = "bytes", file: StaticString = #fileID,
    line: UInt = #line
) throws {
    guard actual != expected else { return }
    let difference = zip(actual, expected).enumerated().first { $1.0 != $1.1 }?.offset
    let place = difference.map { ", first difference at byte \($0)" } ?? ""
    throw ContractFailure(
        "\(what()): expected \(expected.count) bytes, got \(actual.count)\(place)", file: file, line: line)
}

/// Returns the value, which must not be `nil`.
///
/// - Throws: ``ContractFailure`` when it is `nil`.
public func expectValue<Value>(
    _ value: Value?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws -> Value {
    guard let value else { throw ContractFailure("\(what()) is missing", file: file, line: line) }
    return value
}

/// Runs `body`, which must throw an error of this kind; returns the error.
///
/// - Throws: ``ContractFailure`` when `body` succeeds or throws another error.
@discardableResult
public func expectError<Result>(
    _ expected: ExpectedError, _ what: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line,
    _ body: () async throws -> Result
) async throws -> any Error {
    let result: Result
    do {
        result = try await body()
    } catch let failure as ContractFailure {
        throw failure
    } catch {
        guard !expected.matches(error) else { return error }
        throw ContractFailure(
            [what(), "expected \(expected), got \(error)"].filter { !$0.isEmpty }.joined(separator: ": "), file: file,
            line: line)
    }
    throw ContractFailure(
        [what(), "expected \(expected), but it succeeded with \(shown(result))"].filter { !$0.isEmpty }
            .joined(separator: ": "),
        file: file, line: line)
}

/// Returns a value as text with everything invisible escaped, since composed and decomposed letters look alike.
func shown<Value>(_ value: Value) -> String {
    let text = String(describing: value)
    return text.count > 2_000 ? "\(escaped(String(text.prefix(2_000))))…" : escaped(text)
}
