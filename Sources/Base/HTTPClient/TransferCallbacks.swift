import CCurl

// The functions that libcurl calls during a transfer, as described in the manual page of the option that sets each.

/// CURLOPT_WRITEFUNCTION(3): returns the number of bytes that were taken.
func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

/// CURLOPT_HEADERFUNCTION(3), called for each line: returns the number of bytes that were taken.
func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

/// CURLOPT_READFUNCTION(3): fills the buffer and returns the number of bytes in it; 0 ends the upload.
func sendBody(
    _ buffer: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.send(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
}

/// CURLOPT_OPENSOCKETFUNCTION(3): returns a new socket, or ``curlBadSocket`` to refuse the address.
func openSocket(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, let transfer = transfer(context) else { return curlBadSocket }
    return transfer.open(address)
}

/// CURLOPT_XFERINFOFUNCTION(3), called at least once a second: a result other than zero aborts the transfer.
func checkCancellation(
    context: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    transfer(context)?.cancellation.isSet == true ? 1 : 0
}

/// The transfer to which a callback's pointer leads. It outlives the exchange, because ``EasyHandle`` keeps it.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}
