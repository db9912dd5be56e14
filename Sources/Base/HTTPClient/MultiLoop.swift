import CCurl

/// Owns a libcurl multi handle, which keeps the connections of all its transfers.
final class MultiHandle {
    let pointer: UnsafeMutableRawPointer
    let waker: MultiWaker

    init(connections: Int, streams: Int) throws(HTTPError) {
        // Create an easy handle first, because its first use initialises the library.
        _ = try EasyHandle()
        guard let pointer = curl_multi_init() else {
            throw .transfer(code: CURLE_OUT_OF_MEMORY.rawValue, message: "libcurl could not create a handle")
        }
        self.pointer = pointer
        waker = MultiWaker(pointer)
        findmybike_multi_setopt_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        findmybike_multi_setopt_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
        findmybike_multi_setopt_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
    }

    deinit {
        waker.end()
        // Closes its connections, which may write to them.
        _ = holdingOffBrokenPipes { curl_multi_cleanup(pointer) }
    }
}

/// Drives transfers on its own thread until its mailbox is closed.
final class MultiLoop {
    private struct Running {
        let easy: EasyHandle
        let transfer: Transfer
        let order: TransferOrder
    }

    private let multi: MultiHandle
    private let mailbox: TransferMailbox
    private let configuration: HTTPConfiguration
    private let concurrency: Int
    private var waiting: [TransferOrder] = []
    private var running: [UnsafeMutableRawPointer: Running] = [:]
    private var idle: [EasyHandle] = []

    init(_ multi: MultiHandle, _ mailbox: TransferMailbox, _ configuration: HTTPConfiguration, concurrency: Int) {
        self.multi = multi
        self.mailbox = mailbox
        self.configuration = configuration
        self.concurrency = concurrency
    }

    func run() {
        holdingOffBrokenPipes { loop() }
    }

    private func loop() {
        while true {
            let mail = mailbox.take()
            waiting += mail.orders
            guard !mail.isClosed else { return stop() }
            // A request may have been cancelled before it arrived here.
            if mail.hasCancellations || mail.orders.contains(where: \.cancellation.isSet) { dropCancelled() }
            startWaiting()
            var count: Int32 = 0
            curl_multi_perform(multi.pointer, &count)
            // Start a waiting transfer before polling.
            if finishDone() && !waiting.isEmpty { continue }
            // Returns early for traffic, for libcurl's timers and for new orders.
            curl_multi_poll(multi.pointer, nil, 0, running.isEmpty ? 60_000 : 1000, nil)
        }
    }

    private func startWaiting() {
        let orders = waiting.prefix(max(0, concurrency - running.count))
        waiting.removeFirst(orders.count)
        for order in orders { start(order) }
    }

    private func start(_ order: TransferOrder) {
        do {
            if order.cancellation.isSet { throw CancellationError() }
            let easy = try idle.popLast() ?? EasyHandle()
            let transfer = Transfer(
                limit: order.request.responseLimit ?? configuration.responseLimit,
                addresses: configuration.addresses, cancellation: order.cancellation
            )
            try easy.prepare(order.request, configuration, transfer)
            let code = curl_multi_add_handle(multi.pointer, easy.handle)
            guard code == CURLM_OK else {
                throw HTTPError.transfer(
                    code: CURLE_FAILED_INIT.rawValue, message: String(cString: curl_multi_strerror(code))
                )
            }
            running[easy.handle] = Running(easy: easy, transfer: transfer, order: order)
        } catch {
            order.continuation.resume(throwing: error)
        }
    }

    /// Completes transfers that have ended; returns whether there were any.
    private func finishDone() -> Bool {
        var left: Int32 = 0
        var hasEnded = false
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            // The message becomes invalid with the next call on its handle.
            let code = message.pointee.data.result
            end(handle) { $0.easy.response(to: $0.transfer, after: code) }
            hasEnded = true
        }
        return hasEnded
    }

    private func dropCancelled() {
        for (handle, transfer) in running where transfer.order.cancellation.isSet {
            end(handle) { _ in .failure(CancellationError()) }
        }
        let cancelled = waiting.filter(\.cancellation.isSet)
        waiting.removeAll(where: \.cancellation.isSet)
        for order in cancelled { order.continuation.resume(throwing: CancellationError()) }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ result: (Running) -> Result<HTTPResponse, any Error>) {
        guard let transfer = running.removeValue(forKey: handle) else { return }
        curl_multi_remove_handle(multi.pointer, handle)
        let result = result(transfer)
        transfer.easy.release()
        idle.append(transfer.easy)
        transfer.order.continuation.resume(with: result)
    }

    private func stop() {
        for handle in Array(running.keys) { end(handle) { _ in .failure(CancellationError()) } }
        for order in waiting { order.continuation.resume(throwing: CancellationError()) }
    }
}
