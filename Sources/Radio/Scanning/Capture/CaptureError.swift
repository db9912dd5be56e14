import Glibc

/// The reason why bytes are not a readable capture.
public enum BTSnoopError: Error, Hashable, Sendable {
    /// The first bytes are not `btsnoop\0`.
    case notBTSnoop
    /// The capture ends within its 16-byte header.
    case incompleteHeader(byteCount: Int)
    case unsupportedVersion(UInt32)
    case unsupportedDatalink(UInt32)
    /// The record at a byte offset has a length over 1 MiB.
    case oversizedRecord(offset: Int, byteCount: UInt32)
}

extension BTSnoopError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notBTSnoop:
            "not a btsnoop capture; record one with ‘btmon -w FILE’"
        case .incompleteHeader(let byteCount):
            "not a btsnoop capture: it ends after \(byteCount) of the header's \(BTSnoop.headerLength) bytes"
        case .unsupportedVersion(let version):
            "btsnoop version \(version) is not supported; version \(BTSnoop.version) is"
        case .unsupportedDatalink(let code):
            "btsnoop datalink \(code) is not supported; 1001 (HCI), 1002 (H4) and 2001 (Linux monitor) are"
        case .oversizedRecord(let offset, let byteCount):
            "damaged: the record at byte \(offset) claims \(byteCount) bytes; "
                + "cut the file there (‘truncate -s \(offset) FILE’) to use what comes before"
        }
    }
}

/// A failure to read or write a capture file.
public struct CaptureError: Error, Hashable, Sendable {
    public let path: String
    public let reason: Reason

    /// Why the file cannot be read or written.
    public enum Reason: Hashable, Sendable {
        /// A system call failed; `code` is its errno.
        case system(action: Action, code: CInt)
        /// A directory, pipe or device: a capture is read more than once, so it must be a regular file.
        case notRegularFile
        case format(BTSnoopError)
    }

    /// The system call that failed.
    public enum Action: String, Hashable, Sendable {
        case open, create, read, write, close
    }

    init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The error of the last system call.
    init(_ path: String, failedTo action: Action, code: CInt = errno) {
        self.init(path, .system(action: action, code: code))
    }
}

extension CaptureError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .system(.create, EEXIST):
            "cannot create ‘\(path)’: it exists already; name another file or remove it"
        case .system(let action, let code):
            "cannot \(action.rawValue) ‘\(path)’: \(String(cString: strerror(code)))"
        case .notRegularFile:
            "cannot read ‘\(path)’: not a regular file; save the capture to a file first"
        case .format(let error):
            "cannot read ‘\(path)’: \(error)"
        }
    }
}

/// The position at which a capture ends within a record; everything before it was used.
public struct CaptureTruncation: Hashable, Sendable {
    /// The byte offset of the incomplete record.
    public let offset: Int
    /// The number of bytes missing from the record, or from its header if that is incomplete.
    public let missingByteCount: Int
}

extension CaptureTruncation: CustomStringConvertible {
    public var description: String {
        "the capture breaks off in the record at byte \(offset), at least \(missingByteCount) bytes short"
    }
}
