import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, WasmReader } from '@contentauth/c2pa-wasm';
import { BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/** The manifest of a file, as the C2PA library verifies it. */
export interface ReadManifest {
  /** `Trusted` under the given root, `Valid` without it, `Invalid` when anything does not fit. */
  state: string;
  id: string;
  /** The codes of what does not fit. */
  problems: string[];
  /** Whether it has a time stamp, of whatever authority, of this signature. */
  isStamped: boolean;
  manifest: {
    ingredients: { relationship: string; instance_id: string; metadata?: Record<string, unknown> }[];
    assertions: { label: string; data: { actions: Record<string, unknown>[] } }[];
    signature_info: { alg: string };
  };
}

let loaded = false;
/** C2PA's library, once in a process. */
export function loadLibrary(): void {
  if (loaded) return;
  const module = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
  initSync({ module });
  loaded = true;
}

/** Null for a file without a manifest. @param root PEM; null: no one is trusted. */
export async function readManifest(
  bytes: Buffer,
  format: string,
  root: string | null,
): Promise<ReadManifest | null> {
  loadLibrary();
  const trust = root === null ? {} : { trust: { trust_anchors: root } };
  const settings = { ...trust, verify: { verify_trust: root !== null } };
  let reader: WasmReader;
  try {
    reader = await WasmReader.fromBytes(`image/${format}`, new Uint8Array(bytes), JSON.stringify(settings));
  } catch (error) {
    if (String(error).includes('JumbfNotFound')) return null;
    throw error;
  }
  const store = JSON.parse(reader.json());
  reader.free();
  const id: string = store.active_manifest;
  const problems = (store.validation_status ?? []).map(({ code }: { code: string }) => code);
  const fits: { code: string }[] = store.validation_results?.activeManifest?.success ?? [];
  const isStamped = fits.some(({ code }) => code === 'timeStamp.validated');
  return { state: store.validation_state, id, problems, isStamped, manifest: store.manifests[id] };
}

/** The manifests of a file, found by another implementation; in WebP, which it does not know, by a walk over the chunks. */
export function manifestBytes(bytes: Buffer): Uint8Array | null {
  const content = new Uint8Array(bytes);
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return webpChunk(bytes, 'C2PA');
  const Kind = [JPEG, PNG, BMFF].find((one) => one.canRead(content));
  if (Kind === undefined) throw new Error('unknown kind of file');
  return new Kind(content).getManifestJUMBF() ?? null;
}

function webpChunk(bytes: Buffer, wanted: string): Uint8Array | null {
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    const name = bytes.toString('latin1', at, at + 4);
    if (name === wanted) return new Uint8Array(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length % 2);
  }
  return null;
}

/** What another implementation reads in a file of any format. */
export interface ReadElsewhere {
  generator: string;
  instanceId: string;
  /** Labels of what the signer vouches for, and of what it only passes on. */
  created: string[];
  gathered: string[];
  /** With the times in ms since 1970. */
  actions: { action: string; when: number }[];
  parent: { instanceId: string; address: string; metadata: unknown };
  /** The provider's picture, if it is named; `embedded` is the generator in its own manifest. */
  provided: { title: string; metadata: unknown; embedded: string | null } | null;
  /** The picture of the original. */
  thumbnail: Buffer | null;
  /** The time that an authority has stamped. */
  stampedAt: Date | null;
}

// biome-ignore lint/suspicious/noExplicitAny: decoded from CBOR, where a time may have a tag.
const timed = ({ action, when }: any) => ({ action, when: Date.parse(when?.value ?? when) });

export function readElsewhere(bytes: Buffer): ReadElsewhere | null {
  const jumbf = manifestBytes(bytes);
  if (jumbf === null) return null;
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf)));
  const { claim, assertions, signature } = store.getActiveManifest() ?? {};
  if (claim === undefined || assertions === undefined) throw new Error('there is no active manifest');
  const labels = (given: readonly { uri: string }[] | undefined) =>
    (given ?? []).map(({ uri }) => uri.split('/').at(-1) ?? '');
  // biome-ignore lint/suspicious/noExplicitAny: each kind of assertion has other fields.
  const all = (start: string): any[] => assertions.assertions.filter(({ label }) => label?.startsWith(start));
  const found = (start: string) => all(start)[0];
  const related = (to: string) => all('c2pa.ingredient').find(({ relationship }) => relationship === to);
  const [parent, provided] = [related('parentOf'), related('componentOf')];
  const [other] = store.manifests.filter((one) => one !== store.getActiveManifest());
  const content = found('c2pa.thumbnail.ingredient')?.content;
  return {
    generator: `${claim.claimGeneratorName} ${claim.claimGeneratorVersion}`,
    instanceId: claim.instanceID ?? '',
    created: labels(claim.assertions),
    gathered: labels(claim.gatheredAssertions),
    // The implementation drops the times, but not from what it decoded.
    actions: found('c2pa.actions').sourceBox.contentBoxes[0].content.actions.map(timed),
    parent: {
      instanceId: parent.instanceID,
      address: parent.informationalURI,
      metadata: parent.metadata,
    },
    provided:
      provided === undefined
        ? null
        : {
            title: provided.title,
            metadata: provided.metadata,
            embedded: other?.claim?.claimGeneratorName ?? null,
          },
    thumbnail: content === undefined ? null : Buffer.from(content),
    stampedAt: signature?.signatureData.timestamp ?? null,
  };
}

/** The same question to an independent implementation, which does not know WebP and follows no chain. */
export async function verifiesElsewhere(bytes: Buffer): Promise<boolean> {
  const content = new Uint8Array(bytes);
  const Kind = [JPEG, PNG, BMFF].find((one) => one.canRead(content));
  if (Kind === undefined) throw new Error('unknown kind of file');
  const asset = new Kind(content);
  const jumbf = asset.getManifestJUMBF();
  if (jumbf === undefined) return false;
  const result = await ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(jumbf))).validate(asset);
  return result.isValid;
}
