import Beacons
import Scanning

// Events from the controller, and ticks of the clock.
extension HCISession {
    /// Processes the transport's events until it ends.
    func read(_ transport: any HCITransport) async {
        do throws(HCIError) {
            while let packets = try await transport.receive() { process(packets) }
        } catch {
            exchange?.settle(.failure(error))
            give(.lost(error))
        }
    }

    /// Delivers the reports in received events, and processes replies to commands.
    private func process(_ packets: HCIPackets) {
        var batch = AdvertisementBatch(time: clock.now)
        packets.forEach { event in
            switch event.byteCount > 0 ? event[byte: 0] : nil {
            case HCIEvent.commandComplete, HCIEvent.commandStatus:
                if let answer = HCIEvent.Answer(event) { process(answer) } else { batch.malformed += 1 }
            default: parser.parse(event, at: batch.time, into: &batch)
            }
        }
        if packets.dropped > 0 { health.update { $0.dropped += packets.dropped } }
        guard !batch.isEmpty else { return }
        health.note(batch)
        if !batch.advertisements.isEmpty { supervisor.heard(at: batch.time) }
        deliver(batch)
    }

    /// Passes a reply to the command that awaits it. One to another program may show that it changed the scan.
    private func process(_ answer: HCIEvent.Answer) {
        if let exchange, exchange.isOpen, exchange.opcode.rawValue == answer.opcode {
            if answer.isFinal { self.exchange?.settle(.success(answer)) }
            return
        }
        // A reply to another program, since a raw socket receives the replies to all programs.
        guard answer.status == .success, HCICommand.Opcode(rawValue: answer.opcode)?.changesScan == true else { return }
        supervisor.interrupted(at: clock.now)
    }

    private func deliver(_ batch: AdvertisementBatch) {
        lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { health.update { $0.dropped += dropped } }
    }

    /// Checks the time limits until the task is cancelled.
    func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.tick)) != nil { tick(at: clock.now) }
    }

    private func tick(at now: ScanInstant) {
        if let exchange, now >= exchange.deadline {
            self.exchange?.settle(.failure(.unanswered(command: exchange.opcode.name)))
        }
        if let reason = supervisor.restart(at: now) { give(.restart(reason)) }
        if lastDelivery.duration(to: now) >= Self.longestSilence { deliver(AdvertisementBatch(time: now)) }
    }
}
