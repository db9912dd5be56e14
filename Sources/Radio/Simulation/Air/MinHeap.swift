/// A binary heap whose first element is the smallest.
public struct MinHeap<Element: Comparable & Sendable>: Sendable {
    @usableFromInline var elements: [Element] = []

    @inlinable
    public init() {}

    /// The smallest element; nil if there is none.
    @inlinable
    public var first: Element? { elements.first }

    @inlinable
    public mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the smallest element; nil if there is none.
    @inlinable
    public mutating func removeFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        replaceFirst(with: last)
        return first
    }

    /// Puts an element in place of the smallest one; the heap must not be empty.
    @inlinable
    public mutating func replaceFirst(with element: Element) {
        elements[0] = element
        sink()
    }

    /// Moves the first element down to its place.
    @inlinable
    mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < elements.count {
                if elements[child] < elements[least] { least = child }
            }
            guard least != parent else { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }
}
