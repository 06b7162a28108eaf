import FileProviding
import Testing

@Suite struct OperationProgressTests {
    @Test func neverGoesBack() {
        let progress = OperationProgress(total: 10)
        progress.advance(by: 5)
        progress.advance(by: -3)
        progress.advance(by: 0)
        progress.raise(to: 2)
        #expect(progress.current.completed == 5)
        progress.raise(to: 7)
        #expect(progress.current.completed == 7)
    }

    @Test func theTotalGrowsWithWhatIsDone() {
        let progress = OperationProgress(total: 10)
        progress.advance(by: 25)
        #expect(progress.current.total == 25)
        progress.setTotal(3)
        #expect(progress.current.total == 25)
        progress.setTotal(nil)
        #expect(progress.current.total == nil)
    }

    @Test func finishingEndsAtTheTotal() {
        let known = OperationProgress(total: 10)
        known.advance(by: 4)
        known.finish()
        #expect(known.current.completed == 10 && known.current.total == 10)
        let unknown = OperationProgress()
        unknown.advance(by: 4)
        unknown.finish()
        #expect(unknown.current.completed == 4 && unknown.current.total == 4)
    }

    @Test func changesAreTold() {
        let told = Locked<[Int64]>([])
        let progress = OperationProgress { state in told.withLock { $0.append(state.completed) } }
        progress.advance(by: 1)
        progress.advance(by: 2)
        progress.raise(to: 2)
        #expect(told.withLock { $0 } == [1, 3])
    }

    @Test func countsFromManyTasks() async {
        let progress = OperationProgress(total: 10_000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { for _ in 0..<1_000 { progress.advance(by: 1) } } }
        }
        #expect(progress.current.completed == 10_000 && progress.current.total == 10_000)
    }
}
