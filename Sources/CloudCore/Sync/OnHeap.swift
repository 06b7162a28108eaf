/// A large value that is mostly absent, outside of a value that is copied often.
@propertyWrapper
indirect enum OnHeap<Value> {
    case nothing
    case something(Value)

    init(wrappedValue: Value?) { self = wrappedValue.map { .something($0) } ?? .nothing }

    var wrappedValue: Value? {
        get { if case .something(let value) = self { value } else { nil } }
        set { self = OnHeap(wrappedValue: newValue) }
    }
}

extension OnHeap: Sendable where Value: Sendable {}
extension OnHeap: Equatable where Value: Equatable {}
extension OnHeap: Hashable where Value: Hashable {}
