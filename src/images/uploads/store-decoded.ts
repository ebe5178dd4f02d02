import type { PoolClient } from 'pg';
import type { AlterationSource, MediaAlteration } from '../../../machines/disclosure/alterations.ts';
import type { PhotoSubject } from '../../../machines/disclosure/photo-subject.ts';
import type { GrowthLimits } from '../../../persistence/growth/growth-counts.ts';
import { insertOriginal, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import type { PreparedPhoto } from '../decoding/photo-intake.ts';
import { storeObjects } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { providerInputKeyOf } from './provider-input.ts';

export type StoringServices = Pick<ImageServices, 'pool' | 'storage' | 'clock' | 'logger'> & {
  settings: Pick<ImageServices['settings'], 'providerInputs'>;
};

/** A photo that was decoded, and what is known of it. */
export interface DecodedPhoto extends PreparedPhoto {
  imageId: string;
  propertyId: string;
  /** Who may edit the listing. */
  agentId: string;
  imageOf: PhotoSubject | null;
  /** What it was altered to before it came here, and whose word that is. */
  altered: { kind: MediaAlteration; by: AlterationSource } | null;
  /** Of the file as it came. */
  fileBytes: number;
  limits: GrowthLimits;
  /** Called in the transaction that stores the row. */
  keep(client: PoolClient, stored: PropertyImageView): Promise<void>;
}

/**
 * Stores the objects and the row of a decoded photo: persist, then act. Null when the listing is not the agent's (any more).
 * @throws PublicError UPLOAD_EXPIRED, QUOTA_REACHED, SERVICE_UNAVAILABLE; the error of `keep`, and nothing is stored then
 */
export function storeDecoded(
  services: StoringServices,
  photo: DecodedPhoto,
): Promise<PropertyImageView | null> {
  const { imageId, propertyId, agentId, imageOf, altered, fileBytes, limits, keep } = photo;
  const { main, providerInput, statements } = photo;
  const { framing } = services.settings.providerInputs;
  const objectKey = `originals/${propertyId}/${imageId}.${main.format === 'jpeg' ? 'jpg' : main.format}`;
  const inputKey = providerInput && providerInputKeyOf(imageId, imageId);
  const objects = [{ key: objectKey, bytes: main.bytes, contentType: `image/${main.format}` }];
  if (providerInput !== null && inputKey !== null)
    objects.push({ key: inputKey, bytes: providerInput.bytes, contentType: 'image/jpeg' });
  const { credentials } = statements;
  const credentialsKey = `credentials/${imageId}.c2pa`;
  if (credentials !== null)
    objects.push({
      key: credentialsKey,
      bytes: Buffer.from(credentials.store),
      contentType: 'application/c2pa',
    });
  return storeObjects(services, objects, (guards) => {
    const { bytes, ...described } = main;
    const inputs = {
      providerInputKey: framing === 'fixed' ? inputKey : null,
      paddedInputKey: framing === 'photo' ? inputKey : null,
    };
    const names = { imageId, propertyId, agentId, imageOf, objectKey };
    const said = {
      altered,
      credentials: credentials && {
        objectKey: credentialsKey,
        generator: credentials.generator,
        signer: credentials.signer,
      },
    };
    const size = { fileBytes, limits, bytes: bytes.length, at: services.clock.now() };
    return insertOriginal(
      services.pool,
      { ...names, ...inputs, ...said, ...described, ...size },
      guards,
      keep,
    );
  });
}
