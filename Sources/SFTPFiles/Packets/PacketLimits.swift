/// Limits for what a server may send: anything beyond them is an attack or an error, and ends the connection.
enum PacketLimits {
    /// The longest packet, without its length field; OpenSSH's own limit.
    static let packet = 256 << 10
    /// The longest handle (section 6.3).
    static let handle = 256
    /// The number of bytes that every server must accept in one READ or WRITE (section 3).
    static let guaranteedTransfer = 32 << 10
    /// The most that is read or written by one request, whatever a server offers.
    static let transfer = packet - 1024
}
