import { createHash } from 'node:crypto';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
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
}

/** The original in the list of ingredients, for the action that opened it. */
const ORIGINAL = 'original';

/**
 * The id of the manifest of one copy: the same picture, variant and certificate have the same id, so that a copy that
 * is made again needs no other row. C2PA asks for the form of a random UUID.
 */
export function manifestIdOf(stagedImageId: string, variant: string, fingerprint: string): string {
  const digest = createHash('sha256').update(`${stagedImageId}|${variant}|${fingerprint}`).digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x40, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const parts =
    digest
      .toString('hex', 0, 16)
      .match(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/)
      ?.slice(1) ?? [];
  return `urn:c2pa:${parts.join('-')}`;
}

/** The definition of a C2PA manifest, as its library reads it: the original was opened, and furniture was added. */
export function manifestDefinition({ manifestId, stagedImageId, format, providerModel }: ManifestFacts) {
  return {
    label: manifestId,
    claim_generator_info: [{ name: 'Proscenium' }],
    title: DISCLOSURE_LABEL,
    format: `image/${format}`,
    instance_id: `urn:uuid:${stagedImageId}`,
    assertions: [
      {
        label: 'c2pa.actions.v2',
        created: true,
        data: {
          actions: [
            { action: 'c2pa.opened', parameters: { ingredientIds: [ORIGINAL] } },
            {
              action: 'c2pa.edited',
              digitalSourceType: DIGITAL_SOURCE_TYPE,
              description: DISCLOSURE_LABEL,
              ...(providerModel === null ? {} : { softwareAgent: { name: providerModel } }),
            },
          ],
        },
      },
    ],
  };
}

/**
 * The original as the parent. An ingredient without a manifest of its own holds nothing of its file, so its bytes are
 * not needed here; its hash stands in the ingredient's metadata, which the signature covers.
 */
export function parentIngredient({ original }: ManifestFacts) {
  return {
    title: 'Original photo',
    ...(original.format === null ? {} : { format: `image/${original.format}` }),
    relationship: 'parentOf',
    label: ORIGINAL,
    instance_id: `urn:uuid:${original.imageId}`,
    informational_URI: original.address,
    metadata: { 'org.proscenium.sha256': original.checksum },
  };
}
