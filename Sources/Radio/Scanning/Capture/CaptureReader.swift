import Beacons
import Glibc

/// Reads a capture file from its beginning, record by record, in chunks of 64 KiB.
///
/// The file may grow while it is read (the new records are read too) or shrink (the capture then ends truncated).
/// Not Sendable: one reader has one position. The file is closed with the reader.
final class CaptureReader {
    private let path: String
    private let descriptor: CInt
    private var parser = BTSnoopParser()
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)
    /// Set once ``next()`` has returned nil.
    private(set) var truncation: CaptureTruncation?

    /// Opens the file with `O_NONBLOCK`: opening a pipe without a writer must fail, not wait.
    init(path: String) throws(CaptureError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard descriptor >= 0 else { throw CaptureError(path, failedTo: .open) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CaptureError(path, failedTo: .open) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CaptureError(path, .notRegularFile) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next record, or nil at the end. Call ``withEvent(of:_:)`` for its event before the next call.
    func next() throws(CaptureError) -> BTSnoopRecord? {
        repeat {
            if let record = try parseRecord() { return record }
        } while try readChunk()
        do {
            truncation = try parser.truncation()
        } catch {
            throw CaptureError(path, .format(error))
        }
        return nil
    }

    /// Calls `body` with the event of the last returned record, if it has one.
    func withEvent(of record: BTSnoopRecord, _ body: (RawSpan) -> Void) {
        parser.withEvent(of: record, body)
    }

    /// The next record in the bytes that were read; nil if it is not complete.
    private func parseRecord() throws(CaptureError) -> BTSnoopRecord? {
        do {
            return try parser.next()
        } catch {
            throw CaptureError(path, .format(error))
        }
    }

    /// Reads the next chunk of the file into the parser; false at the end.
    private func readChunk() throws(CaptureError) -> Bool {
        var count = read(descriptor, &chunk, chunk.count)
        while count < 0, errno == EINTR { count = read(descriptor, &chunk, chunk.count) }
        guard count >= 0 else { throw CaptureError(path, failedTo: .read) }
        chunk.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count)).bytes) }
        return count > 0
    }
}
