import { crc32 } from 'node:zlib';
import { WasmBuilder } from '@contentauth/c2pa-wasm';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { readSigning } from '../../../src/config/signing.ts';
import { coseSign1, signatureBytes } from '../../../src/images/marks/cose.ts';
import { FileReaderSync, ReadableBlob } from '../../../src/images/marks/readable-blob.ts';
import { loadLibrary } from './manifests.ts';

/** The program that the manifests of the simulated provider name. */
export const GENERATOR = 'Simulated Image Model';

const SETTINGS = JSON.stringify({
  builder: { thumbnail: { enabled: false } },
  verify: { verify_after_sign: false },
});
const DEFINITION = {
  claim_generator_info: [{ name: GENERATOR, version: '2' }],
  title: 'Generated picture',
  assertions: [
    {
      label: 'c2pa.actions.v2',
      created: true,
      data: {
        actions: [
          {
            action: 'c2pa.created',
            digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
          },
        ],
      },
    },
  ],
};

/** The picture with a manifest of its provider, as some image models sign what they make. */
export async function withProviderManifest(bytes: Buffer, format: string): Promise<Buffer> {
  loadLibrary();
  Object.assign(globalThis, { FileReaderSync });
  const { settings } = testSigning();
  const signing = readSigning({
    key: settings.C2PA_SIGNING_KEY,
    certificateChain: settings.C2PA_CERTIFICATE_CHAIN,
    timeStampUrl: null,
  });
  if (signing === null) throw new Error('the settings cannot be read');
  const type = `image/${format}`;
  const builder = WasmBuilder.fromJson(JSON.stringify({ ...DEFINITION, format: type }), SETTINGS);
  try {
    const signer = {
      alg: signing.algorithm,
      reserveSize: signatureBytes(signing, false),
      sign: async (claim: Uint8Array) => new Uint8Array(await coseSign1(claim, signing, null)),
    };
    return Buffer.from(await builder.sign(signer, [], type, new ReadableBlob(bytes) as unknown as Blob));
  } finally {
    builder.free();
  }
}

const AFTER_HEADER = 33;

/** A PNG with these bytes where a manifest is looked for. */
export function withManifestBytes(png: Buffer, content: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write('caBX', 4, 'latin1');
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}
