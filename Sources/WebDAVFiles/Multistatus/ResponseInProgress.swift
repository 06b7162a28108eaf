/// The part of a response that has been received so far.
///
/// Properties of a `propstat` are kept as they arrive, and dropped at its end if its status, which comes last, says so.
struct ResponseInProgress {
    private let others: [XMLName]
    private var values = DAVValues()
    private var hrefCount = 0
    private var propstatStart = 0
    private var propstatStatus: Int?
    private var status: Int?
    private var failedStatuses: [Int] = []
    private var isProcessing = false
    private var problem: DAVProblem?
    /// The previous response's statuses, to be shared with the next where they are equal.
    private var sharedStatuses: [Int] = []

    init(others: [XMLName]) { self.others = others }

    /// The number of bytes of text in the element begun last.
    var openLength: Int { values.openLength }

    /// Whether the element begun last is a reference.
    var isInHref: Bool { values.openCode == DAVElement.href.rawValue }

    /// Begins to collect an element's text.
    mutating func open(_ code: UInt8) { values.open(code) }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) { values.append(text) }

    /// Ends the text that was begun last.
    mutating func close() { values.close() }

    mutating func openHref() {
        hrefCount += 1
        values.open(DAVElement.href.rawValue)
    }

    mutating func beginPropstat() {
        propstatStart = values.count
        propstatStatus = nil
    }

    /// Keeps the properties with a 2xx status, without a status, and with 425, with which ownCloud sends useful
    /// properties.
    mutating func endPropstat() {
        let status = propstatStatus ?? 200
        if status == 425 { isProcessing = true }
        guard !(200..<300).contains(status), status != 425 else { return }
        values.truncate(to: propstatStart)
        if !failedStatuses.contains(status) { failedStatuses.append(status) }
    }

    mutating func endPropstatStatus() { propstatStatus = values.takeOpen(DAVText.status) }

    mutating func endStatus() {
        status = values.takeOpen(DAVText.status)
        if status == 425 { isProcessing = true }
    }

    mutating func endMessage() {
        guard let message = values.takeOpen(DAVText.string), problem?.message == nil else { return }
        problem = DAVProblem(precondition: problem?.precondition, message: message)
    }

    mutating func addPrecondition(_ name: String) {
        guard problem?.precondition == nil else { return }
        problem = DAVProblem(precondition: name, message: problem?.message)
    }

    /// Delivers the response, once for each of its references, and starts over.
    mutating func finish(into responses: inout [MultistatusResponse]) {
        if failedStatuses != sharedStatuses { sharedStatuses = failedStatuses }
        if hrefCount > 1 {
            values.forEach { code, text in
                guard code == DAVElement.href.rawValue else { return }
                responses.append(response(with: DAVValues(code, text)))
            }
        } else {
            responses.append(response(with: values.compact()))
        }
        values.truncate(to: 0)
        hrefCount = 0
        status = nil
        failedStatuses.removeAll(keepingCapacity: true)
        isProcessing = false
        problem = nil
    }

    private func response(with values: DAVValues) -> MultistatusResponse {
        MultistatusResponse(
            values: values, others: others, status: status, failedStatuses: sharedStatuses,
            isProcessing: isProcessing, problem: problem)
    }
}
