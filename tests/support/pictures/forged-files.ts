import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, WasmBuilder } from '@contentauth/c2pa-wasm';
import type { Certificate } from '../../../ops/dev/signing-certificates.ts';
import { coseSign1, type SigningKey, signatureBytes } from '../../../src/images/marks/cose.ts';
import { FileReaderSync, ReadableBlob } from '../../../src/images/marks/readable-blob.ts';

/** Files of people who want a check to say something that is not true. */

const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype';

let isLoaded = false;
function load(): void {
  if (isLoaded) return;
  Object.assign(globalThis, { FileReaderSync });
  const module = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
  initSync({ module });
  isLoaded = true;
}

interface Forging {
  readonly by: Certificate;
  readonly format: string;
  readonly manifestId?: string;
  /** The picture that the file claims to be. */
  readonly stagedImageId?: string;
  /** An IPTC code of how it was made. */
  readonly sourceType?: string;
  /** A signed file that it claims to be made from. */
  readonly parent?: Buffer;
}

/** A file that is signed properly, by anyone, with any ids. */
export async function signedBy(bytes: Buffer, forging: Forging): Promise<Buffer> {
  load();
  const { by, format, manifestId, stagedImageId, sourceType = 'digitalCapture', parent } = forging;
  const der = Buffer.from(by.pem.replace(/-----[^-]+-----/g, ''), 'base64');
  const key: SigningKey = { key: by.key, hash: 'sha256', coseId: -7, chain: [der] };
  const made = { action: 'c2pa.created', digitalSourceType: `${SOURCE_TYPE}/${sourceType}` };
  const opened = { action: 'c2pa.opened', parameters: { ingredientIds: ['parent'] } };
  const definition = {
    ...(manifestId === undefined ? {} : { label: manifestId }),
    ...(stagedImageId === undefined ? {} : { instance_id: `urn:uuid:${stagedImageId}` }),
    claim_generator_info: [{ name: 'Proscenium' }],
    title: 'AI · Virtually staged',
    format: `image/${format}`,
    assertions: [
      {
        label: 'c2pa.actions.v2',
        created: true,
        data: { actions: parent === undefined ? [made] : [opened] },
      },
    ],
  };
  const settings = { builder: { thumbnail: { enabled: false } }, verify: { verify_after_sign: false } };
  const builder = WasmBuilder.fromJson(JSON.stringify(definition), JSON.stringify(settings));
  const blob = (content: Buffer) => new ReadableBlob(content) as unknown as Blob;
  if (parent !== undefined)
    await builder.addIngredientFromBlob(
      JSON.stringify({ title: 'before', relationship: 'parentOf', label: 'parent', instance_id: 'parent' }),
      `image/${format}`,
      blob(parent),
    );
  const sign = async (claim: Uint8Array) => new Uint8Array(await coseSign1(claim, key, null));
  const signed = await builder.sign(
    { alg: 'es256', reserveSize: signatureBytes(key, false), sign },
    [],
    `image/${format}`,
    blob(bytes),
  );
  builder.free();
  return Buffer.from(signed);
}

const APP11 = 0xeb;
const SCAN = 0xda;

/** The segments of a JPEG in which its manifest lies. */
export function manifestSegments(jpeg: Buffer): Buffer {
  const segments: Buffer[] = [];
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== SCAN; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === APP11) segments.push(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  return Buffer.concat(segments);
}

/** Puts segments in front of those of a JPEG. */
export const withSegments = (jpeg: Buffer, segments: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)]);

/** IPTC as Photoshop writes it, with the kind of source in its instructions. */
export function iptcSegment(sourceType: string): Buffer {
  const text = Buffer.from(`${SOURCE_TYPE}/${sourceType}`);
  const record = Buffer.concat([Buffer.from([0x1c, 2, 40, 0, text.length]), text]);
  const head = Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM'),
    Buffer.from([4, 4, 0, 0, 0, 0, 0, record.length]),
  ]);
  const content = Buffer.concat([head, record]);
  const size = Buffer.from([0xff, 0xed, (content.length + 2) >> 8, (content.length + 2) & 0xff]);
  return Buffer.concat([size, content]);
}

/** An XMP packet that names a page and a kind of source. */
export const forgedXmp = (address: string, sourceType: string): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}/${sourceType}" xmpRights:WebStatement="${address}"/></rdf:RDF></x:xmpmeta>`;

/** A box of a file of boxes (AVIF). */
export function boxOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A PNG that says that it has so many pixels, and holds next to nothing. */
export function pngOf(png: Buffer, width: number, height: number): Buffer {
  const huge = Buffer.from(png);
  huge.writeUInt32BE(width, 16);
  huge.writeUInt32BE(height, 20);
  return huge;
}
