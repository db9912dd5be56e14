import CCurl

// The functions that libcurl calls during a transfer, as described in the manual page of the option that sets each.

/// The transfer to which a callback's pointer leads. It outlives the exchange, because ``EasyHandle`` keeps it.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

func sendBody(
    _ buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.send(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
}

func openSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let transfer = transfer(context) else { return curlBadSocket }
    return transfer.open(address)
}

/// Called by libcurl at least once a second; a result other than zero aborts the transfer.
func checkCancellation(
    context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    transfer(context)?.cancellation.isSet == true ? 1 : 0
}
