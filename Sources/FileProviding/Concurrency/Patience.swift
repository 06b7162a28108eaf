/// How long the current task's requests may wait where a server asks them to.
package enum Patience {
    /// The longest such pause. None, the default, suits requests that somebody is waiting for; work that runs by itself
    /// can wait until the server is ready.
    @TaskLocal package static var limit = Duration.zero
}
