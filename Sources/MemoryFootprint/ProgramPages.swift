import CLinker
public import ServiceLifecycle

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Gives pages of program code back that the start needed and the run does not.
///
/// Linux maps 64 kB around whatever a program touches, and a start touches code everywhere: relocation, look-up of types,
/// arguments, settings. Nothing takes these pages away again while the machine has memory, so that a daemon seems to
/// need twice of what it uses, for months. What is given back and needed again comes from the page cache, without a
/// read as long as it is there.
public struct ProgramPages: Service {
    private let first: Duration
    private let interval: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - first: when the start is over.
    ///   - interval: then again so often, since rare work touches rare code.
    public init(
        first: Duration = .seconds(20), interval: Duration = .seconds(600),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.first = first
        self.interval = interval
        self.sleep = sleep
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await sleep(first)
            while true {
                Self.release()
                try await sleep(interval)
            }
        }
    }

    /// Gives back what is resident of the code and constants of the program and its libraries; returns how many bytes
    /// of address space that was.
    ///
    /// Only loadable segments without write permission count. They hold what the file holds and nothing else
    /// (madvise(2), `MADV_DONTNEED`: a later access gets the file's content again), while what relocation has written
    /// lies in the writable ones, read-only or not by now. The linker's lock is held meanwhile, so that no library is
    /// half loaded.
    @discardableResult
    static func release() -> Int {
        var total = 0
        withUnsafeMutablePointer(to: &total) { total in
            _ = dl_iterate_phdr(
                { object, _, total in
                    guard let object = object?.pointee, let headers = object.dlpi_phdr else { return 0 }
                    for header in UnsafeBufferPointer(start: headers, count: Int(object.dlpi_phnum))
                    where header.p_type == UInt32(PT_LOAD) && header.p_flags & UInt32(PF_W) == 0 {
                        let pages = ProgramPages.pages(of: header, base: object.dlpi_addr)
                        guard let start = UnsafeMutableRawPointer(bitPattern: pages.lowerBound),
                            madvise(start, pages.count, MADV_DONTNEED) == 0
                        else { continue }
                        total?.assumingMemoryBound(to: Int.self).pointee += pages.count
                    }
                    return 0
                }, total)
        }
        return total
    }

    /// The whole pages that lie in a segment. At its ends it may share a page with another one.
    private static func pages(of header: Elf64_Phdr, base: Elf64_Addr) -> Range<UInt> {
        let size = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let start = UInt(base + header.p_vaddr)
        let first = (start + size - 1) / size * size
        return first..<max(first, (start + UInt(header.p_memsz)) / size * size)
    }
}
