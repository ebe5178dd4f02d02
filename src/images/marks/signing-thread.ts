/**
 * A thread that signs pictures with the C2PA library. The library is WebAssembly made for browsers: it works without
 * giving the event loop back, keeps the memory of its largest picture, and reads files as `Blob` by `FileReaderSync`,
 * which Node does not have. So it lives in a thread of its own: no request waits for it, a crash ends only the
 * thread, and the replacement of the missing class is seen by nothing else. The thread signs one picture of its own
 * before it says that it is ready, so that a key, a chain or a library that cannot sign is found at the start.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { initSync, WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import { coseSign1, type SigningKey, signatureBytes } from './cose.ts';
import {
  type ManifestFacts,
  manifestDefinition,
  manifestIdOf,
  parentIngredient,
  THUMBNAIL,
} from './manifest.ts';
import { FileReaderSync, ReadableBlob } from './readable-blob.ts';
import { requestTimeStamp } from './time-stamp.ts';

/** What the thread is started with. */
export interface SigningThreadData extends SigningKey {
  algorithm: string;
  /** Null: signatures have no time stamp. */
  timeStampUrl: string | null;
}
export interface SigningOrder {
  facts: ManifestFacts;
  bytes: Uint8Array;
  /** False: without a time stamp, because the authority failed a moment ago. */
  isStamped: boolean;
}
/** `unstamped` says why a stamp is missing that was wanted. */
export type SigningAnswer =
  | { kind: 'done'; bytes: Uint8Array; unstamped: string | null }
  | { kind: 'failed'; message: string };

const blobOf = (bytes: Uint8Array): Blob => new ReadableBlob(bytes) as unknown as Blob;

const data: SigningThreadData = workerData;
const { timeStampUrl } = data;
/** Why the last signature has no stamp; null when it has one, or none was wanted. */
let unstamped: string | null = null;

async function stamp(bytes: Buffer): Promise<Buffer | null> {
  try {
    return await requestTimeStamp(bytes, timeStampUrl ?? '');
  } catch (error) {
    unstamped = messageOf(error);
    return null;
  }
}

const signerOf = (isStamped: boolean) => ({
  alg: data.algorithm,
  reserveSize: signatureBytes(data, isStamped),
  sign: async (claim: Uint8Array) => new Uint8Array(await coseSign1(claim, data, isStamped ? stamp : null)),
});

const SETTINGS = JSON.stringify({
  builder: {
    thumbnail: { enabled: false },
    // We vouch for the parent as for the actions; the library would only list it as gathered.
    created_assertion_labels: ['c2pa.ingredient', 'c2pa.ingredient.v3', 'c2pa.thumbnail.ingredient'],
  },
  // What would not verify is found once, at the start.
  verify: { verify_after_sign: false },
});

async function sign({ facts, bytes, isStamped }: SigningOrder): Promise<Uint8Array> {
  const builder = WasmBuilder.fromJson(JSON.stringify(manifestDefinition(facts)), SETTINGS);
  try {
    builder.addIngredient(JSON.stringify(parentIngredient(facts)));
    if (facts.thumbnail !== null) builder.addResourceFromBlob(THUMBNAIL, blobOf(facts.thumbnail));
    return await builder.sign(
      signerOf(isStamped && timeStampUrl !== null),
      [],
      `image/${facts.format}`,
      blobOf(bytes),
    );
  } finally {
    builder.free();
  }
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** @throws Error when what is signed does not verify: the certificate does not fit C2PA's profile, for example. */
async function trySigning(): Promise<void> {
  const nobody = '00000000-0000-4000-8000-000000000000';
  const facts: ManifestFacts = {
    manifestId: manifestIdOf(nobody, '', ''),
    stagedImageId: nobody,
    format: 'png',
    original: { imageId: nobody, format: 'png', checksum: '', address: 'https://example.com/' },
    providerModel: null,
    recordAddress: 'https://example.com/',
    changes: [],
    stagedAt: 0,
    signedAt: 0,
    thumbnail: PIXEL,
    operator: 'trial',
    version: '0',
  };
  const signed = await sign({ facts, bytes: PIXEL, isStamped: true });
  const reader = await WasmReader.fromBytes('image/png', new Uint8Array(signed));
  const { validation_status: problems = [] }: { validation_status?: { code: string }[] } = JSON.parse(
    reader.json(),
  );
  reader.free();
  // Whether anyone trusts the root is for verifiers to say.
  const wrong = problems.map(({ code }) => code).filter((code) => code !== 'signingCredential.untrusted');
  if (wrong.length > 0) throw new Error(`a signed picture does not verify: ${wrong.join(', ')}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function answer(given: SigningAnswer): void {
  const moved = given.kind === 'done' ? [given.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(given, moved);
}

async function answered(work: () => Promise<Uint8Array>): Promise<void> {
  try {
    unstamped = null;
    const bytes = await work();
    answer({ kind: 'done', bytes, unstamped });
  } catch (error) {
    answer({ kind: 'failed', message: messageOf(error) });
  }
}

Object.assign(globalThis, { FileReaderSync });
initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) });
await answered(async () => {
  await trySigning();
  return new Uint8Array();
});
parentPort?.on('message', (order: SigningOrder) => void answered(() => sign(order)));
