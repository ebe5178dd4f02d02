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
  manifest: {
    ingredients: { relationship: string; instance_id: string; metadata?: Record<string, unknown> }[];
    assertions: { label: string; data: { actions: Record<string, unknown>[] } }[];
    signature_info: { alg: string };
  };
}

let loaded = false;
function load(): void {
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
  load();
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
  return { state: store.validation_state, id, problems, manifest: store.manifests[id] };
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
