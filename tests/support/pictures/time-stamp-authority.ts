import { createHash, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Certificate,
  der,
  issue,
  octets,
  oid,
  sequence,
} from '../../../ops/dev/signing-certificates.ts';

/** A time-stamp authority on loopback (RFC 3161), which no one trusts. */
export interface TimeStampAuthority {
  readonly url: string;
  readonly certificate: Certificate;
  /** How many stamps were asked for. */
  asked(): number;
  /** From now on: what it answers instead of a stamp; null for stamps again. */
  instead(answer: { status: number; body: Buffer } | 'nothing' | null): void;
  close(): Promise<void>;
}

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const SHA_256 = sequence(oid('2.16.840.1.101.3.4.2.1'));
const ECDSA_SHA_256 = sequence(oid('1.2.840.10045.4.3.2'));
const POLICY = oid('1.2.3.4.1');

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const integer = (bytes: Buffer) => der(0x02, bytes);
const attribute = (type: string, value: Buffer) => sequence(oid(type), der(0x31, value));
/** YYYYMMDDHHMMSSZ */
const generalizedTime = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)}Z`));

/** The parts of a request of the form that the platform sends. */
function partsOf(request: Buffer): { imprint: Buffer; nonce: Buffer } {
  const imprint = request.subarray(5, 5 + 51);
  return { imprint, nonce: request.subarray(56, 56 + 10) };
}

/** The answer to a request, with the authority's certificate. */
export function timeStampAnswer(request: Buffer, certificate: Certificate, at: number): Buffer {
  const { imprint, nonce } = partsOf(request);
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const info = sequence(integer(Buffer.from([1])), POLICY, imprint, serial, generalizedTime(at), nonce);
  const attributes = [
    attribute(CONTENT_TYPE, oid(TST_INFO)),
    attribute(MESSAGE_DIGEST, octets(sha256(info))),
    attribute(SIGNING_CERTIFICATE_V2, sequence(sequence(sequence(octets(sha256(certificate.der)))))),
  ].toSorted(Buffer.compare);
  const signature = sign('sha256', der(0x31, ...attributes), certificate.key);
  const signer = sequence(
    integer(Buffer.from([1])),
    certificate.issuerAndSerial,
    SHA_256,
    der(0xa0, ...attributes),
    ECDSA_SHA_256,
    octets(signature),
  );
  const signed = sequence(
    integer(Buffer.from([3])),
    der(0x31, SHA_256),
    sequence(oid(TST_INFO), der(0xa0, octets(info))),
    der(0xa0, certificate.der),
    der(0x31, signer),
  );
  return sequence(sequence(integer(Buffer.from([0]))), sequence(oid(SIGNED_DATA), der(0xa0, signed)));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function startTimeStampAuthority(now: () => number = Date.now): Promise<TimeStampAuthority> {
  const root = issue({ name: 'Time root', issuer: null, isAuthority: true });
  const certificate = issue({ name: 'Time', issuer: root, usages: [TIME_STAMPING] });
  let asked = 0;
  let instead: Parameters<TimeStampAuthority['instead']>[0] = null;
  const server = createServer(async (request, answer) => {
    const body = await bodyOf(request);
    asked += 1;
    if (instead === 'nothing') return;
    const { status, body: said } = instead ?? {
      status: 200,
      body: timeStampAnswer(body, certificate, now()),
    };
    answer.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    certificate,
    asked: () => asked,
    instead: (answer) => {
      instead = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
