import { X509Certificate } from 'node:crypto';
import { type Cbor, fieldOf, readCbor } from './cbor.ts';
import { type JumbfBox, readJumbf } from './jumbf.ts';

/** What the C2PA manifests of a file say about where it comes from. The signature is not checked. */
export interface Credentials {
  /** Of each manifest, the oldest first. */
  readonly manifestIds: readonly string[];
  /** The camera or program of the last manifest. */
  readonly generator: string | null;
  /** The organization, or the name, in the certificate of the last manifest. */
  readonly signer: string | null;
}

const LONGEST_NAME = 120;
/** The header of the certificate chain (RFC 9360), and its name in older manifests. */
const CHAIN_HEADERS = [33, 'x5chain'];

/** @returns null for a store that cannot be read */
export function readCredentials(store: Buffer): Credentials | null {
  try {
    const manifests = readJumbf(store).flatMap(({ label, children }) => (label === 'c2pa' ? children : []));
    const active = manifests.at(-1);
    if (active === undefined) return null;
    return {
      manifestIds: manifests.map(({ label }) => label),
      generator: named(generatorOf(active)),
      signer: named(signerOf(active)),
    };
  } catch (error) {
    // The bytes are the uploader's: a store that does not fit together says nothing.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const named = (text: string | undefined): string | null => text?.trim().slice(0, LONGEST_NAME) || null;
const asText = (value: Cbor | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function contentOf({ children }: JumbfBox, label: string): Cbor | undefined {
  const [content] = children.find((box) => box.label === label)?.contents ?? [];
  return content === undefined ? undefined : readCbor(content);
}

/** Version 2 of a claim has one description of its generator, version 1 a list. */
function generatorOf(manifest: JumbfBox): string | undefined {
  const claim = contentOf(manifest, 'c2pa.claim.v2') ?? contentOf(manifest, 'c2pa.claim');
  const info = fieldOf(claim, 'claim_generator_info');
  const first = Array.isArray(info) ? info[0] : info;
  return asText(fieldOf(first, 'name')) ?? asText(fieldOf(claim, 'claim_generator'));
}

function signerOf(manifest: JumbfBox): string | undefined {
  const signature = contentOf(manifest, 'c2pa.signature');
  const parts =
    signature !== null && typeof signature === 'object' && 'tag' in signature ? signature.value : signature;
  if (!Array.isArray(parts)) return undefined;
  const [signed, open] = parts;
  const headers = [signed instanceof Uint8Array ? readCbor(Buffer.from(signed)) : undefined, open];
  const chain = headers.flatMap((header) => CHAIN_HEADERS.map((name) => fieldOf(header, name))).find(Boolean);
  const leaf = Array.isArray(chain) ? chain[0] : chain;
  return leaf instanceof Uint8Array ? subjectOf(leaf) : undefined;
}

function subjectOf(certificate: Uint8Array): string | undefined {
  let subject: string;
  try {
    subject = new X509Certificate(certificate).subject;
  } catch {
    return undefined;
  }
  const parts = new Map(subject.split('\n').map((line) => [line.split('=')[0], line.replace(/^[^=]*=/, '')]));
  return parts.get('O') ?? parts.get('CN');
}
