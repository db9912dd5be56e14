public import Beacons
import Glibc

/// Writes a scanner's reports as a btsnoop capture (datalink 1002) that `btmon -r` and `tshark` can read.
///
/// The file is a valid capture after every call: each append is one write of complete records, and the remains of a
/// failed write are truncated. Nothing is synchronised to disk. Not Sendable: one capture has one writer.
public final class CaptureWriter {
    /// Writes bytes to a descriptor, as write(2) does.
    typealias Write = (CInt, UnsafeRawBufferPointer) -> Int

    public let path: String
    private let descriptor: CInt
    private let unixTime: (ScanInstant) -> Int64
    private let writeBytes: Write
    /// The length of the complete records written.
    private var length = 0
    /// Complete records that are not written yet.
    private var buffer: [UInt8] = []
    private var isOpen = true

    /// Creates the file, readable by its owner only, and writes the header.
    ///
    /// - Parameters:
    ///   - path: the path of a file that does not exist: a capture may be evidence and is never overwritten.
    ///   - unixTime: the time of an instant on the scanner's time line, in nanoseconds since the Unix epoch.
    /// - Throws: ``CaptureError`` if the file exists or cannot be written.
    public convenience init(
        path: String,
        unixTime: @escaping (ScanInstant) -> Int64
    ) throws(CaptureError) {
        try self.init(path: path, unixTime: unixTime) { write($0, $1.baseAddress, $1.count) }
    }

    init(path: String, unixTime: @escaping (ScanInstant) -> Int64, writeBytes: @escaping Write) throws(CaptureError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.path = path
        self.unixTime = unixTime
        self.writeBytes = writeBytes
        guard descriptor >= 0 else { throw CaptureError(path, failedTo: .create) }
        buffer.append(contentsOf: BTSnoop.header(of: .h4))
        try flush()
    }

    deinit {
        if isOpen, descriptor >= 0 { _ = closeDescriptor(descriptor) }
    }

    /// Appends the reports of a batch, each as a separate record, or none of them if it throws.
    public func append(_ batch: AdvertisementBatch) throws(CaptureError) {
        batch.forEach { report, data in
            let stamp = BTSnoop.timestamp(unixNanoseconds: unixTime(report.time))
            buffer.append(report: report, data: data, timestamp: stamp)
        }
        try flush()
    }

    /// Closes the file and reports delayed write errors. Later appends fail.
    public func close() throws(CaptureError) {
        guard isOpen else { return }
        isOpen = false
        guard closeDescriptor(descriptor) == 0 else { throw CaptureError(path, failedTo: .close) }
    }

    /// Writes the buffer, or none of it, and empties it.
    private func flush() throws(CaptureError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard isOpen else { throw CaptureError(path, failedTo: .write, code: EBADF) }
        let failure = buffer.withUnsafeBytes { writeAll($0) }
        guard let failure else {
            length += buffer.count
            return
        }
        // Best effort: if truncating fails, the last record stays truncated, which readers report and tolerate.
        if ftruncate(descriptor, off_t(length)) == 0 { lseek(descriptor, off_t(length), SEEK_SET) }
        throw CaptureError(path, failedTo: .write, code: failure)
    }

    /// Writes all bytes, in one call unless the system accepts fewer; returns the errno of a failure.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return count == 0 ? ENOSPC : errno
            }
        }
        return nil
    }
}

/// close(2), which the method of the same name would hide.
private func closeDescriptor(_ descriptor: CInt) -> CInt {
    close(descriptor)
}
