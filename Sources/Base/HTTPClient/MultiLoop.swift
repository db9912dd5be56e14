import CCurl

/// Drives transfers on its own thread until its mailbox is closed.
final class MultiLoop {
    /// A transfer that libcurl performs, and the request that it is for.
    private struct RunningTransfer {
        let easy: EasyHandle
        let transfer: Transfer
        let order: TransferOrder
    }

    private let multi: MultiHandle
    private let mailbox: TransferMailbox
    private let configuration: HTTPConfiguration
    /// The maximum number of transfers that run at the same time.
    private let concurrency: Int
    /// The requests beyond the limit, in the order of their arrival.
    private var waiting: [TransferOrder] = []
    /// The running transfers by their easy handles.
    private var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]
    /// Handles of ended transfers, for the next ones: at most as many as ran at the same time.
    private var idle: [EasyHandle] = []

    /// The longest polls in milliseconds. Without transfers, only the mailbox has to end one.
    private static let pollWhileRunning: Int32 = 1000
    private static let pollWhileIdle: Int32 = 60_000

    init(_ multi: MultiHandle, _ mailbox: TransferMailbox, _ configuration: HTTPConfiguration, concurrency: Int) {
        self.multi = multi
        self.mailbox = mailbox
        self.configuration = configuration
        self.concurrency = concurrency
    }

    /// Returns once the mailbox is closed.
    func run() {
        holdingOffBrokenPipes { loop() }
    }

    private func loop() {
        while true {
            let mail = mailbox.take()
            waiting += mail.orders
            guard !mail.isClosed else { return cancelAll() }
            // A request may have been cancelled before it arrived here.
            if mail.hasCancellations || mail.orders.contains(where: \.cancellation.isSet) { dropCancelled() }
            startWaiting()
            var count: Int32 = 0
            curl_multi_perform(multi.pointer, &count)
            // Start a waiting transfer before polling.
            if completeEndedTransfers() && !waiting.isEmpty { continue }
            // Returns early for traffic, for libcurl's timers and for new orders.
            let timeout = running.isEmpty ? Self.pollWhileIdle : Self.pollWhileRunning
            curl_multi_poll(multi.pointer, nil, 0, timeout, nil)
        }
    }

    /// Starts as many waiting requests as the limit allows.
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
            running[easy.handle] = RunningTransfer(easy: easy, transfer: transfer, order: order)
        } catch {
            order.continuation.resume(throwing: error)
        }
    }

    /// Completes transfers that have ended; returns whether there were any.
    private func completeEndedTransfers() -> Bool {
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

    /// Aborts and forgets the requests whose tasks were cancelled.
    private func dropCancelled() {
        for (handle, transfer) in running where transfer.order.cancellation.isSet {
            end(handle) { _ in .failure(CancellationError()) }
        }
        // Read each flag once: it may be set meanwhile, and an order that is dropped must be answered.
        var kept: [TransferOrder] = []
        for order in waiting {
            if order.cancellation.isSet {
                order.continuation.resume(throwing: CancellationError())
            } else {
                kept.append(order)
            }
        }
        waiting = kept
    }

    /// Removes a transfer from libcurl, and completes its request.
    ///
    /// - Parameter result: the result of the request, asked for before the handle is used again.
    private func end(
        _ handle: UnsafeMutableRawPointer, _ result: (RunningTransfer) -> Result<HTTPResponse, any Error>
    ) {
        guard let ended = running.removeValue(forKey: handle) else { return }
        curl_multi_remove_handle(multi.pointer, handle)
        let outcome = result(ended)
        ended.easy.release()
        idle.append(ended.easy)
        ended.order.continuation.resume(with: outcome)
    }

    /// Fails all requests with `CancellationError`.
    private func cancelAll() {
        for handle in Array(running.keys) { end(handle) { _ in .failure(CancellationError()) } }
        for order in waiting { order.continuation.resume(throwing: CancellationError()) }
    }
}

/// Owns a libcurl multi handle, which keeps the connections of all its transfers.
final class MultiHandle {
    let pointer: UnsafeMutableRawPointer
    /// Ends a poll of this handle early.
    let waker: MultiWaker

    /// - Parameters:
    ///   - connections: the maximum number of connections to one host.
    ///   - streams: the maximum number of concurrent streams of one connection.
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
