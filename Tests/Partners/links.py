"""The network between registries: for each direction a proxy that can refuse, hang, lose answers or lead elsewhere."""
import asyncio
import datetime
import ssl
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

OPEN, REFUSE, HANG, LOSE_ANSWERS = "open", "refuse", "hang", "lose answers"

# Where the names of registries end that are not on localhost.
DOMAIN = ".cities.test"


class Authority:
    """Signs certificates for localhost and for registries."""

    def __init__(self, folder, name):
        self.folder, self.count = folder, 0
        self.key, self.name = ec.generate_private_key(ec.SECP256R1()), x509.Name(
            [x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.certificate = self.sign(self.key.public_key(), self.name, x509.BasicConstraints(True, None))
        self.file = folder / (name + ".pem")
        self.file.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def sign(self, key, subject, constraints, *more):
        # Clocks that are wrong by days must not be what is noticed.
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key).serial_number(
            x509.random_serial_number()).not_valid_before(now - datetime.timedelta(100)).not_valid_after(
            now + datetime.timedelta(1000)).add_extension(constraints, True)
        for extension in more:
            builder = builder.add_extension(extension, False)
        return builder.sign(self.key, hashes.SHA256())

    def certify(self, context):
        """Gives a TLS context a new key and certificate."""
        self.count += 1
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self.sign(
            key.public_key(), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")]),
            x509.BasicConstraints(False, None),
            x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.DNSName("*" + DOMAIN)]))
        path = self.folder / ("%s-%d.pem" % (self.file.stem, self.count))
        path.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
            + certificate.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(path)


class Network:
    """Runs the links in a thread of its own."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)


class Link:
    """One direction between two registries: it listens at `end`, an address and a port. `target` is the port of the
    registry that is called.

    Without an authority, it is plain HTTP.
    """

    def __init__(self, network, end, target, authority=None):
        self.network, self.end, self.home, self.target = network, end, target, target
        self.mode, self.connections, self.context = OPEN, set(), None
        if authority:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.certify(self.context)
        network.run(asyncio.start_server(self.serve, *end, ssl=self.context))

    def set(self, mode=OPEN, target=None, authority=None):
        """Changes what happens on this link, and breaks its connections."""
        self.network.run(self.change(mode, target, authority))

    async def change(self, mode, target, authority):
        self.mode, self.target = mode, target or self.home
        if authority:
            authority.certify(self.context)
        for writer in list(self.connections):
            writer.transport.abort()

    async def serve(self, reader, writer):
        self.connections.add(writer)
        target = None
        try:
            if self.mode == REFUSE:
                return
            inward, target = await asyncio.open_connection("127.0.0.1", self.target)
            pumps = [asyncio.create_task(self.pump(reader, target, True)),
                     asyncio.create_task(self.pump(inward, writer, False))]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
        except OSError:
            pass
        finally:
            self.connections.discard(writer)
            for end in (writer, target):
                if end is not None:
                    end.transport.abort()

    async def pump(self, reader, writer, is_request):
        try:
            while data := await reader.read(65536):
                if self.mode == HANG:
                    continue
                if self.mode == LOSE_ANSWERS and not is_request:
                    return
                writer.write(data)
                await writer.drain()
        except (OSError, ssl.SSLError):
            pass
