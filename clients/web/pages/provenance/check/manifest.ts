import init, { WasmReader } from '@contentauth/c2pa-wasm';
import moduleUrl from '@contentauth/c2pa-wasm/c2pa.wasm?url';
import { hex } from './hex.ts';
import { leafCertificate } from './leaf-certificate.ts';
import { withMemoryLimit } from './limited-memory.ts';
import { sourceTypesIn } from './source-types.ts';
import { hasUncoveredBoxes } from './uncovered-boxes.ts';

/** The signed manifest of a file (C2PA), as its library verifies it in this browser. */
export interface FileManifest {
  /**
   * `intact`: the signature fits the claim, and the claim fits every byte of the file; `changed`: it does not;
   * `broken`: what is there cannot be read; `several`: neither, and there is more than one.
   */
  readonly state: 'intact' | 'changed' | 'broken' | 'several';
  /** The id of the manifest that counts, the last one. */
  readonly id: string | null;
  /** The names in the signer's certificate; null when there are none. Anyone can choose them. */
  readonly signer: string | null;
  /** SHA-256 of the signer's certificate, hex; null when the file does not say which one it is. */
  readonly fingerprint: string | null;
  /** The id of the file, and those of the files that it names as its sources. */
  readonly instances: readonly string[];
  /** The ids of the manifests of the files that it was made from. */
  readonly earlierIds: readonly string[];
  /** The kinds of source that it names, as IPTC codes in lower case. */
  readonly sourceTypes: readonly string[];
}

/** The parts of the library's report that are read here. */
interface Report {
  readonly active_manifest?: string;
  readonly validation_status?: readonly { readonly code: string }[];
  readonly manifests?: Readonly<Record<string, Manifest>>;
}
interface Manifest {
  readonly instance_id?: string;
  readonly assertions?: readonly unknown[];
  readonly ingredients?: readonly { readonly instance_id?: string }[];
  readonly signature_info?: { readonly issuer?: string; readonly common_name?: string };
}

/**
 * What the library may find without the file being changed: no authority is asked here (the certificate itself is
 * compared with the record), and a certificate whose time is over was one of ours while it lasted.
 */
const NO_CHANGE = new Set([
  'signingCredential.untrusted',
  'signingCredential.expired',
  'claimSignature.outsideValidity',
]);

/** Memory of the library; the file itself is a third of that. Both are below 64 MB. */
const MOST_BYTES = 44 * 1024 * 1024;

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

const SETTINGS = JSON.stringify({ verify: { remote_manifest_fetch: false, ocsp_fetch: false } });
const UNREAD = { id: null, signer: null, fingerprint: null, instances: [], earlierIds: [], sourceTypes: [] };

/**
 * Reads and verifies the manifest of a picture with at least one store. Nothing leaves the browser: manifests that lie
 * elsewhere and lists of revoked certificates are not asked for. The library has been loaded.
 * @throws WebAssembly.RuntimeError when the library took too much memory; it cannot be used any more
 */
export async function readManifest(
  file: Blob,
  { type, stores }: { readonly type: string; readonly stores: number },
): Promise<FileManifest> {
  let reader: WasmReader;
  try {
    reader = await WasmReader.fromBlob(type, file, SETTINGS);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return { state: stores > 1 ? 'several' : 'broken', ...UNREAD };
  }
  try {
    const report = JSON.parse(reader.json()) as Report;
    const id = reader.activeLabel() ?? '';
    // The library's own copy of the store that it has verified.
    const leaf = leafCertificate(reader.resourceToBytes(`self#jumbf=/c2pa/${id}/c2pa.signature`), id);
    const fingerprint = leaf && hex(await crypto.subtle.digest('SHA-256', leaf.slice()));
    const isCovered = !(await hasUncoveredBoxes(file, type));
    return { ...summaryOf(report, { id, isCovered, stores }), fingerprint };
  } finally {
    reader.free();
  }
}

function summaryOf(
  { validation_status = [], manifests = {} }: Report,
  { id, isCovered, stores }: { readonly id: string; readonly isCovered: boolean; readonly stores: number },
): Omit<FileManifest, 'fingerprint'> {
  const active = manifests[id];
  const { issuer, common_name } = active?.signature_info ?? {};
  const names = [common_name, issuer].filter((name) => name !== undefined && name !== '');
  const isIntact = isCovered && validation_status.every(({ code }) => NO_CHANGE.has(code));
  const instances = [active, ...(active?.ingredients ?? [])].map((one) => one?.instance_id ?? '');
  return {
    state: isIntact ? 'intact' : stores > 1 ? 'several' : 'changed',
    id,
    signer: names.length === 0 ? null : names.join(', '),
    instances,
    earlierIds: Object.keys(manifests).filter((one) => one !== id),
    sourceTypes: sourceTypesIn(new TextEncoder().encode(JSON.stringify(active?.assertions ?? []))),
  };
}
