import init, { WasmReader } from '@contentauth/c2pa-wasm';
import moduleUrl from '@contentauth/c2pa-wasm/c2pa.wasm?url';
import { withMemoryLimit } from './limited-memory.ts';

/** The signed manifest of a file (C2PA), as its library verifies it in this browser. */
export interface FileManifest {
  /** `changed`: the signature does not fit the file any more; `broken`: what is there cannot be read. */
  readonly state: 'intact' | 'changed' | 'broken';
  /** The names in the signer's certificate; null when there are none. */
  readonly signer: string | null;
  /** The certificate leads to one that this site names as its own. */
  readonly isSignerKnown: boolean;
  /** The ids of the pictures that the manifests name: the file's own first, then those that it was made from. */
  readonly pictures: readonly string[];
}

/** The parts of the library's report that are read here. */
interface Report {
  readonly active_manifest?: string;
  readonly validation_state?: 'Invalid' | 'Valid' | 'Trusted';
  readonly manifests?: Readonly<Record<string, Manifest>>;
}
interface Manifest {
  readonly instance_id?: string;
  readonly signature_info?: { readonly issuer?: string; readonly common_name?: string };
}

/** A file without a manifest, one of a kind that cannot have any, and one whose manifest lies elsewhere. */
const NO_MANIFEST = /JumbfNotFound|UnsupportedType|RemoteManifestUrl/;
const PICTURE = /^urn:uuid:([0-9a-f-]{36})$/;

/** Memory of the library: several times the largest file. */
const MOST_BYTES = 512 * 1024 * 1024;

let loading: Promise<unknown> | null = null;

async function load(): Promise<void> {
  const response = await fetch(moduleUrl);
  if (!response.ok) throw new Error(`The library was answered with ${response.status}`);
  const module = new Uint8Array(await response.arrayBuffer());
  await init({ module_or_path: withMemoryLimit(module, MOST_BYTES) });
}

/** Loads the library, once. @throws when it cannot be loaded; the next call tries again */
export async function loadReader(): Promise<void> {
  loading ??= load();
  try {
    await loading;
  } catch (error) {
    loading = null;
    throw error;
  }
}

/**
 * Reads and verifies the manifest of a picture. Nothing leaves the browser: manifests that lie elsewhere and lists of
 * revoked certificates are not asked for. The library has been loaded.
 * @param authority the certificate that the site's own signers lead to, in PEM; null when it names none
 * @returns null for a picture without a manifest
 * @throws WebAssembly.RuntimeError when the library took too much memory; it cannot be used any more
 */
export async function readManifest(
  bytes: Uint8Array,
  type: string,
  authority: string | null,
): Promise<FileManifest | null> {
  const settings = {
    verify: { remote_manifest_fetch: false, ocsp_fetch: false },
    ...(authority === null ? {} : { trust: { trust_anchors: authority } }),
  };
  let reader: WasmReader;
  try {
    reader = await WasmReader.fromBytes(type, bytes, JSON.stringify(settings));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    if (NO_MANIFEST.test(String(error))) return null;
    return { state: 'broken', signer: null, isSignerKnown: false, pictures: [] };
  }
  try {
    return summaryOf(JSON.parse(reader.json()) as Report);
  } finally {
    reader.free();
  }
}

function summaryOf({ active_manifest = '', validation_state, manifests = {} }: Report): FileManifest {
  const active = manifests[active_manifest];
  const { issuer, common_name } = active?.signature_info ?? {};
  const names = [common_name, issuer].filter((name) => name !== undefined && name !== '');
  const all =
    active === undefined ? [] : [active, ...Object.values(manifests).filter((one) => one !== active)];
  return {
    state: validation_state === 'Valid' || validation_state === 'Trusted' ? 'intact' : 'changed',
    signer: names.length === 0 ? null : names.join(', '),
    isSignerKnown: validation_state === 'Trusted',
    pictures: all.map(({ instance_id = '' }) => PICTURE.exec(instance_id)?.[1] ?? ''),
  };
}
