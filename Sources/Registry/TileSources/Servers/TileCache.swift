import Foundation
import MapTiles
import OperatingSystem
import Syntax

/// Tiles as files in a folder, the least recently used of which are deleted when there are too many.
///
/// A file is written under another name and then renamed, and has a checksum, so that a reader never gets a part of it.
/// Errors of the disk only mean that a tile is fetched again.
actor TileCache {
    struct Limits: Sendable {
        /// The maximum size of all files in bytes, in blocks of 4 kB.
        var bytes = 200 << 20
        /// The maximum number of files.
        var files = 20_000
        /// The number of bytes that tiles leave free on the disk, for more important data.
        var reserve: UInt64 = 512 << 20
    }

    private struct Entry {
        /// The size of the file in bytes, in whole blocks.
        var size: Int
        /// The value of ``TileCache/turn`` at the last use: the smallest was used longest ago.
        var turn: UInt64
        /// When the file's time was last set, in seconds since the Unix epoch. The time survives a restart.
        var touched: Int64
    }

    private let executor = QueueExecutor(label: "TileCache")
    private let folder: String
    private let limits: Limits
    private let now: @Sendable () -> Int64
    private var entries: [TileCoordinates: Entry] = [:]
    /// The size of all files in bytes.
    private var total = 0
    /// The number of uses of all tiles.
    private var turn: UInt64 = 0
    private var isOpen = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: the folder for all sources; created with the first tile if it does not exist.
    ///   - source: the source's name there. The tiles of other sources are deleted.
    init(folder: String, source: String, limits: Limits, now: @escaping @Sendable () -> Int64) {
        self.folder = "\(folder)/\(source)"
        self.limits = limits
        self.now = now
    }

    /// The tile that is kept for a place, fresh or not; nil if there is none.
    func tile(at coordinates: TileCoordinates) -> KeptTile? {
        open()
        guard let entry = entries[coordinates] else { return nil }
        let path = path(of: coordinates)
        guard
            let data = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(
                upToCount: KeptTile.maximumSize + 1),
            let tile = KeptTile(bytes: Array(data))
        else {
            remove(coordinates)
            return nil
        }
        turn += 1
        entries[coordinates]?.turn = turn
        if now() - entry.touched > Self.touchInterval {
            entries[coordinates]?.touched = now()
            utime(path, nil)
        }
        return tile
    }

    /// Keeps a tile, if the disk has room for it.
    func keep(_ tile: KeptTile, at coordinates: TileCoordinates) {
        open()
        let bytes = tile.bytes
        guard hasRoom, write(bytes, to: path(of: coordinates)) else { return }
        turn += 1
        let size = Self.sizeOnDisk(bytes.count)
        total += size - (entries[coordinates]?.size ?? 0)
        entries[coordinates] = Entry(size: size, turn: turn, touched: now())
        if total > limits.bytes || entries.count > limits.files { makeRoom() }
    }

    /// The number of files, and their size in bytes.
    var usage: (files: Int, bytes: Int) {
        open()
        return (entries.count, total)
    }
}

extension TileCache {
    /// A used file's time is set at most this often, in seconds, to spare the disk.
    private static let touchInterval: Int64 = 6 * 3600
    private static let suffix = ".tile"
    /// What a file's name ends with until it is written completely.
    private static let unfinished = ".new"

    /// Finds the files of earlier runs, the least recently used first, and deletes what is left of interrupted writes
    /// and of other sources.
    private func open() {
        guard !isOpen else { return }
        isOpen = true
        removeOtherSources()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var found: [(TileCoordinates, size: Int, time: Int64)] = []
        for name in names {
            if let written = name.dropping(suffix: Self.unfinished), Self.coordinates(String(written)) != nil {
                unlink("\(folder)/\(name)")
            }
            var status = stat()
            guard let coordinates = Self.coordinates(name), stat("\(folder)/\(name)", &status) == 0 else { continue }
            found.append((coordinates, Self.sizeOnDisk(Int(status.st_size)), Int64(status.st_mtim.tv_sec)))
        }
        for (coordinates, size, time) in found.sorted(by: { $0.time < $1.time }) {
            turn += 1
            total += size
            entries[coordinates] = Entry(size: size, turn: turn, touched: time)
        }
        if total > limits.bytes || entries.count > limits.files { makeRoom() }
    }

    /// Deletes the folders of other sources. Their names are checksums; others are not touched.
    private func removeOtherSources() {
        let own = URL(fileURLWithPath: folder)
        let parent = own.deletingLastPathComponent().path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where name != own.lastPathComponent && name.utf8.count == 16 && name.allSatisfy(\.isHexDigit) {
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
        }
    }

    /// Deletes a tenth more than necessary, so that this seldom happens.
    private func makeRoom() {
        for (coordinates, _) in entries.sorted(by: { $0.value.turn < $1.value.turn }) {
            guard total > limits.bytes / 10 * 9 || entries.count > limits.files / 10 * 9 else { return }
            remove(coordinates)
        }
    }

    private func remove(_ coordinates: TileCoordinates) {
        unlink(path(of: coordinates))
        total -= entries.removeValue(forKey: coordinates)?.size ?? 0
    }

    /// Whether the disk has enough room for one more tile. Makes the folder if it does not exist.
    private var hasRoom: Bool {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= limits.reserve
    }

    /// Writes a file under another name, and renames it. The file need not survive a power loss.
    private func write(_ bytes: [UInt8], to path: String) -> Bool {
        let new = path + Self.unfinished
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: new))
            guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            return true
        } catch {
            unlink(new)
            return false
        }
    }

    private func path(of coordinates: TileCoordinates) -> String {
        "\(folder)/\(coordinates.zoom)-\(coordinates.column)-\(coordinates.row)\(Self.suffix)"
    }

    /// The place of the tile in a file of this name; nil for other files.
    private static func coordinates(_ name: String) -> TileCoordinates? {
        let parts = name.dropping(suffix: suffix)?.split(at: "-", omittingEmptySubsequences: false) ?? []
        return parts.count == 3 ? TileCoordinates(zoom: parts[0], column: parts[1], row: parts[2]) : nil
    }

    /// The size of a file in whole blocks of 4 kB.
    private static func sizeOnDisk(_ bytes: Int) -> Int { (bytes + 4095) / 4096 * 4096 }
}
