import Dispatch
import Foundation
import OperatingSystem
public import Photos
public import RegistryAPI
public import RegistryRules

/// The pictures of photos as files in one folder: two for each photo, which only the registry's user can read.
public struct FilePhotoStore: PhotoStore {
    private let folder: String

    /// The number of bytes that photos leave free on the disk for other data, such as sightings.
    private static let reserve: UInt64 = 512 << 20

    /// - Parameter folder: created with the first photo if it does not exist.
    public init(folder: String) { self.folder = folder }

    /// The folder that belongs to a database.
    public static func folder(ofDatabase path: String) -> String { path + ".photos" }

    public func put(_ photo: ConvertedPhoto, as name: PhotoName) async throws {
        try await outside {
            try checkSpace()
            try write(PhotoPictures(large: photo.large, small: photo.small), as: name)
        }
    }

    public func length(of name: PhotoName, _ size: PhotoSize) async throws -> Int? {
        try await outside {
            try opened(name, size) { file in
                var status = stat()
                guard fstat(file, &status) == 0 else { throw Self.unreadable(path(name, size)) }
                return Int(clamping: status.st_size)
            }
        }
    }

    /// Opens the file again for each piece: a response that waits for its client holds no descriptor.
    public func bytes(
        of name: PhotoName, _ size: PhotoSize, from offset: Int, atMost count: Int
    ) async throws -> [UInt8] {
        try await outside { try read(name, size, from: offset, atMost: count) ?? [] }
    }

    public func remove(_ names: [PhotoName]) async throws {
        try await outside { for name in names { try removeBlocking(name) } }
    }

    public func eachNames(atMost count: Int, _ body: ([PhotoName]) async throws -> Void) async throws {
        let all = try await outside {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return Array(Set(files.compactMap { PhotoName(file: $0) }))
        }
        for start in stride(from: 0, to: all.count, by: max(1, count)) {
            try await body(Array(all[start..<min(start + max(1, count), all.count)]))
        }
    }

    /// Both pictures, read in place; nil unless both are there.
    ///
    /// - Throws: `storageUnavailable`.
    public func read(_ name: PhotoName) throws -> PhotoPictures? {
        guard let large = try read(name, .large), let small = try read(name, .small) else { return nil }
        return PhotoPictures(large: large, small: small)
    }

    /// Writes both pictures in place; they are on disk when this returns.
    public func write(_ pictures: PhotoPictures, as name: PhotoName) throws {
        try SecretFile.makeFolder(of: path(name, .large))
        try DurableFile.put(pictures.large, at: path(name, .large))
        try DurableFile.put(pictures.small, at: path(name, .small))
    }

    /// Gives all files a second name in another folder, for a backup. Pictures never change, so both names stay valid.
    public func link(to other: String) throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in files where PhotoName(file: file) != nil {
            let target = other + "/" + file
            try SecretFile.makeFolder(of: target)
            guard !FileManager.default.fileExists(atPath: target) else { continue }
            do {
                try FileManager.default.linkItem(atPath: folder + "/" + file, toPath: target)
            } catch {
                // The file system has no hard links.
                try FileManager.default.copyItem(atPath: folder + "/" + file, toPath: target)
            }
        }
    }

    /// The bytes of a picture from an offset on; nil if there is none of this name.
    private func read(
        _ name: PhotoName, _ size: PhotoSize, from offset: Int = 0, atMost count: Int = PhotoLimits.pictureBytes
    ) throws -> [UInt8]? {
        try opened(name, size) { file in
            try [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, length in
                while length < buffer.count {
                    let read = pread(
                        file, buffer.baseAddress.map { $0 + length }, buffer.count - length, off_t(offset + length))
                    if read < 0, errno == EINTR { continue }
                    guard read >= 0 else { throw Self.unreadable(path(name, size)) }
                    guard read > 0 else { return }
                    length += read
                }
            }
        }
    }

    /// Opens a picture's file; nil if there is none of this name.
    private func opened<Result>(
        _ name: PhotoName, _ size: PhotoSize, _ body: (_ descriptor: Int32) throws -> Result
    ) throws -> Result? {
        let path = path(name, size)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Self.unreadable(path) }
            return nil
        }
        defer { close(descriptor) }
        return try body(descriptor)
    }

    /// Removes the files of a photo, and those that an interrupted upload left.
    private func removeBlocking(_ name: PhotoName) throws {
        for size in PhotoSize.allCases {
            for path in [path(name, size), path(name, size) + ".new"] where access(path, F_OK) == 0 {
                try DurableFile.remove(path)
            }
        }
    }

    /// - Throws: `storageUnavailable` if the disk has less than the reserve.
    private func checkSpace() throws {
        var status = statvfs()
        let parent = URL(fileURLWithPath: folder).deletingLastPathComponent().path
        guard statvfs(parent, &status) == 0 else { throw Self.unreadable(parent) }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free >= Self.reserve else {
            throw DomainError.storageUnavailable("photos: only \(free >> 20) MB are free in \(parent)")
        }
    }

    private func path(_ name: PhotoName, _ size: PhotoSize) -> String { "\(folder)/\(name.fileName(size))" }

    /// The error of the system call that has just failed.
    private static func unreadable(_ path: String) -> DomainError {
        .storageUnavailable("\(path): \(String(cString: strerror(errno)))")
    }

    /// Runs a blocking call outside Swift's threads.
    private func outside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                let result = Swift.Result(catching: body).mapError { error in
                    error is DomainError ? error : DomainError.storageUnavailable("photos: \(error)")
                }
                continuation.resume(with: result)
            }
        }
    }
}

extension PhotoName {
    /// 32 hexadecimal digits and the size, such as `0f…3c.large.jpg`.
    fileprivate func fileName(_ size: PhotoSize) -> String {
        let digits = [high, low].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        return digits.joined() + ".\(size.rawValue).jpg"
    }

    /// The name in a file name, also of a file that is not complete; nil for other files.
    fileprivate init?(file: String) {
        let digits = file.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard digits.count == 32, file.contains(".jpg"), let high = UInt64(String(file.prefix(16)), radix: 16),
            let low = UInt64(String(file.dropFirst(16).prefix(16)), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
