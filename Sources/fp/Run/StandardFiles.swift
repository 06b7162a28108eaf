import Glibc

/// Standard input, output and error, as this process was given them.
enum StandardFiles {
    /// Opens those that are closed, in the wrong direction: reading or writing fails then, as without them. Otherwise
    /// the next files to be opened would get their numbers, and a message would be written into one of them.
    static func open() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            let isInput = number == STDIN_FILENO
            // The lowest free number is this one.
            guard Glibc.open("/dev/null", isInput ? O_WRONLY : O_RDONLY) == number else { return }
        }
    }
}
