import Glibc

/// Compares with `memcmp` over the common length, which may be zero.
func memcmpOrZero(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
    let count = min(a.count, b.count)
    return count == 0 ? 0 : memcmp(a.baseAddress!, b.baseAddress!, count)
}
