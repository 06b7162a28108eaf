/// One connection's part in carrying a file's pieces. Lives on the connection's thread.
protocol Lane: AnyObject {
    /// Takes as many pieces as there is room for.
    func fill(_ engine: SFTPEngine)
    /// Gives up.
    func stop()
}
