import CSandbox
import Glibc
import Photos

/// The process that decodes a photo: it reads the file from its standard input, writes the pictures to its standard
/// output, and can do nothing else.
///
/// A fault of the decoder gives an attacker only this process, which has no secret in its memory, no file, no network,
/// and a few seconds to live.
public enum ConvertingProcess {
    /// The first argument of a program that is to become this process.
    public static let argument = "convert-photo"
    /// The second argument, which makes the process try to leave the sandbox.
    static let probe = "probe"
    /// The output of the probe if it could not leave.
    static let confined = "confined"

    /// The limit of processor time in seconds; the largest photo takes about one.
    private static let seconds: rlim_t = 4
    /// The limit of memory in bytes, in addition to what the program has when it starts: that of 25 megapixels in
    /// scans, the file twice, and the pictures.
    private static let memory = 320 << 20

    /// Runs the process; returns its exit status (``ConversionMessage``).
    ///
    /// - Parameter arguments: those after ``argument``.
    public static func run(_ arguments: [String]) -> Int32 {
        do {
            try enterSandbox()
        } catch {
            write("\(error)")
            return ConversionMessage.failed
        }
        if arguments == [probe] { return tryLeaving() }
        do {
            let photo = try convert(readAll())
            return write(ConversionMessage.bytes(large: photo.large, small: photo.small)) ? 0 : ConversionMessage.failed
        } catch {
            write(ConversionMessage.name(of: error))
            return ConversionMessage.refused
        }
    }

    /// Converts a photo, in this process.
    static func convert(_ file: [UInt8]) throws(PhotoRefusal) -> ConvertedPhoto {
        let header = try JPEGHeader(file)
        let picture = try TurboJPEG.decode(header.picture(in: file), side: PhotoLimits.largeSide)
            .shrunk(to: PhotoLimits.largeSide).turned(by: header.orientation)
            .inStandardColours(from: header.profile.flatMap { ColourProfile($0) })
        let large = try TurboJPEG.encode(picture, quality: 82)
        let small = try TurboJPEG.encode(picture.shrunk(to: PhotoLimits.smallSide), quality: 80)
        guard let photo = ConvertedPhoto(large: large, small: small) else { throw .tooComplex }
        return photo
    }

    /// Gives up all rights except to read from and write to open descriptors.
    private static func enterSandbox() throws(ConversionFailure) {
        let used = try programMemory()
        try setLimit(RLIMIT_CORE, 0)
        // Above the first limit the kernel sends SIGXCPU, above the second SIGKILL: so the registry can distinguish the
        // first, caused by the photo, from a kill for lack of memory.
        try setLimit(RLIMIT_CPU, seconds, seconds + 1)
        try setLimit(RLIMIT_FSIZE, rlim_t(ConversionMessage.maximumLength))
        try setLimit(RLIMIT_NOFILE, 3)
        try setLimit(RLIMIT_AS, rlim_t(used + memory))
        var code = findmybike_close_from(3)
        guard code == 0 else { throw ConversionFailure("closing what is open", code: code) }
        code = findmybike_sandbox_enter()
        guard code == 0 else { throw ConversionFailure("entering the sandbox", code: code) }
    }

    /// - Parameters:
    ///   - soft: the limit that counts.
    ///   - hard: what the soft limit may be raised to; nil for the same.
    private static func setLimit(
        _ resource: __rlimit_resource, _ soft: rlim_t, _ hard: rlim_t? = nil
    ) throws(ConversionFailure) {
        var limit = rlimit(rlim_cur: soft, rlim_max: hard ?? soft)
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
            throw ConversionFailure("setting limits", code: errno)
        }
    }

    /// The address space of this program in bytes (proc(5); `statm` counts pages).
    private static func programMemory() throws(ConversionFailure) -> Int {
        guard let file = fopen("/proc/self/statm", "r") else {
            throw ConversionFailure("/proc/self/statm", code: errno)
        }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil, case let pages = atol(line), pages > 0 else {
            throw ConversionFailure("/proc/self/statm is empty")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Tries what the sandbox forbids; returns the exit status.
    private static func tryLeaving() -> Int32 {
        guard let hole = findmybike_sandbox_hole() else {
            write(confined)
            return 0
        }
        write("the sandbox allows \(String(cString: hole))")
        return ConversionMessage.failed
    }

    /// The standard input, up to the maximum length of a photo.
    private static func readAll() -> [UInt8] {
        var file = [UInt8](repeating: 0, count: PhotoLimits.bytes + 1)
        var count = 0
        while count < file.count {
            let length = file.withUnsafeMutableBytes { buffer in
                read(STDIN_FILENO, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            }
            guard length > 0 else { break }
            count += length
        }
        // Not a copy: memory is limited.
        file.removeLast(file.count - count)
        return file
    }

    private static func write(_ text: String) { _ = write(Array(text.utf8)) }

    @discardableResult
    private static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
