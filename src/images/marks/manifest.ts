import { createHash } from 'node:crypto';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import type { CopyChange } from './mark.ts';
import { DIGITAL_SOURCE_TYPE } from './xmp.ts';

/** What a manifest says about a staged picture; read from its rows. */
export interface ManifestFacts {
  manifestId: string;
  stagedImageId: string;
  format: string;
  original: {
    imageId: string;
    /** Null when it is not known. */
    format: string | null;
    /** SHA-256 of the stored bytes, hex. */
    checksum: string;
    /** Where it is shown. */
    address: string;
  };
  /** Null for pictures of old releases. */
  providerModel: string | null;
  /** The page that tells how the picture was made. */
  recordAddress: string;
  /** What was done to the staged picture to make the copy. */
  changes: readonly CopyChange[];
  /** When the furniture was added, and when the copy is signed; ms since 1970. */
  stagedAt: number;
  signedAt: number;
  /** A small JPEG of the original; null in small copies, and when the original is gone. */
  thumbnail: Uint8Array | null;
  /** Null when the provider's file has no manifest. */
  provided: ProviderPicture | null;
  /** Whose site signs. */
  operator: string;
  /** Of the software that signs. */
  version: string;
}

/** The file that the provider made, with a manifest of the provider's own in it. */
export interface ProviderPicture {
  bytes: Uint8Array;
  format: string;
  /** SHA-256 of the bytes, hex. */
  checksum: string;
  /** The program that the manifest names; null when it cannot be read. */
  generator: string | null;
  /** The copy holds its manifest; otherwise it only names the program, and says whether the manifest is valid. */
  isEmbedded: boolean;
}

/** The original in the list of ingredients, for the action that opened it. */
const ORIGINAL = 'original';
/** The provider's picture, for the action that placed it. */
const PROVIDED = 'provided';
/** The name of its small JPEG among the resources of a manifest. */
export const THUMBNAIL = 'original.jpg';

/** In the order in which a copy is made. */
const CHANGES: readonly (readonly [CopyChange, string])[] = [
  ['cropped', 'c2pa.cropped'],
  ['resized', 'c2pa.resized'],
  ['labeled', 'c2pa.addedText'],
  ['converted', 'c2pa.converted'],
];

/** A hash in the form of a random UUID. */
function uuidOf(content: string): string {
  const digest = createHash('sha256').update(content).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x40, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const parts =
    digest
      .toString('hex', 0, 16)
      .match(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/)
      ?.slice(1) ?? [];
  return parts.join('-');
}

/**
 * The id of the manifest of one copy: the same picture, variant and certificate have the same id, so that a copy that
 * is made again needs no other row. C2PA asks for the form of a random UUID.
 */
export function manifestIdOf(stagedImageId: string, variant: string, fingerprint: string): string {
  return `urn:c2pa:${uuidOf(`${stagedImageId}|${variant}|${fingerprint}`)}`;
}

const iso = (at: number): string => new Date(at).toISOString();

/** The definition of a C2PA manifest, as its library reads it: the original was opened, and furniture was added. */
export function manifestDefinition({ manifestId, format, providerModel, version, ...facts }: ManifestFacts) {
  const [staged, signed] = [iso(facts.stagedAt), iso(facts.signedAt)];
  const made = CHANGES.filter(([change]) => facts.changes.includes(change));
  return {
    label: manifestId,
    claim_generator_info: [{ name: facts.operator, version }],
    title: DISCLOSURE_LABEL,
    format: `image/${format}`,
    // Each copy is another file; the address in its XMP names the picture.
    instance_id: `urn:uuid:${uuidOf(`instance|${manifestId}`)}`,
    assertions: [
      {
        label: 'c2pa.actions.v2',
        created: true,
        data: {
          actions: [
            { action: 'c2pa.opened', when: staged, parameters: { ingredientIds: [ORIGINAL] } },
            {
              action: 'c2pa.edited',
              when: staged,
              digitalSourceType: DIGITAL_SOURCE_TYPE,
              description: DISCLOSURE_LABEL,
              ...(providerModel === null ? {} : { softwareAgent: { name: providerModel } }),
            },
            ...(facts.provided === null
              ? []
              : [{ action: 'c2pa.placed', when: staged, parameters: { ingredientIds: [PROVIDED] } }]),
            ...made.map(([, action]) => ({ action, when: signed })),
          ],
        },
      },
    ],
  };
}

/**
 * The original as the parent. An ingredient without a manifest of its own holds nothing of its file, so its bytes are
 * not needed here; its hash and the address of the record stand in the ingredient's metadata, which the signature
 * covers.
 */
export function parentIngredient({ original, recordAddress, thumbnail }: ManifestFacts) {
  return {
    title: 'Original photo',
    ...(original.format === null ? {} : { format: `image/${original.format}` }),
    relationship: 'parentOf',
    label: ORIGINAL,
    instance_id: `urn:uuid:${original.imageId}`,
    informational_URI: original.address,
    // Manifests of earlier releases have `org.proscenium` here.
    metadata: { 'virtual-staging.sha256': original.checksum, 'virtual-staging.record': recordAddress },
    ...(thumbnail === null ? {} : { thumbnail: { format: 'image/jpeg', identifier: THUMBNAIL } }),
  };
}

/**
 * The provider's picture as a component, named with the program that made it.
 * @param isValid whether the provider's manifest fits the file; who signed it is for readers to judge
 */
export function providerIngredient(
  { format, checksum, generator }: Omit<ProviderPicture, 'bytes' | 'isEmbedded'>,
  { stagedImageId, isValid }: { stagedImageId: string; isValid: boolean },
) {
  return {
    title: isValid ? 'Picture of the provider' : 'Picture of the provider, whose manifest is not valid',
    format: `image/${format}`,
    relationship: 'componentOf',
    label: PROVIDED,
    instance_id: `urn:uuid:${uuidOf(`provided|${stagedImageId}`)}`,
    metadata: {
      'virtual-staging.sha256': checksum,
      'virtual-staging.manifest': isValid ? 'valid' : 'not valid',
      ...(generator === null ? {} : { 'virtual-staging.generator': generator }),
    },
  };
}
