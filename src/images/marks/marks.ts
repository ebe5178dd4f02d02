/**
 * The marks of staged pictures (docs/contract.md#marks): XMP in every copy; in copies of public ones also a signed
 * manifest, when the role has a key. Always true: a manifest that leaves has its row, which is committed before the
 * signature. It is not written with the row of the stored copy, because copies that are not stored are answered too.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import { findManifestSources, recordManifest } from '../../../persistence/images/provenance-manifests.ts';
import type { Clock } from '../../../supervisors/ports.ts';
import type { SignatureOutcome } from '../../telemetry/metrics.ts';
import { imageUrl, provenanceUrl } from '../../wire/images.ts';
import { type ManifestFacts, manifestDefinition, manifestIdOf, parentIngredient } from './manifest.ts';
import type { Mark } from './mark.ts';
import { NotSigned, type Signer } from './signer.ts';
import { stagedXmp } from './xmp.ts';

interface MarkPorts {
  pool: Pool;
  clock: Clock;
  publicBaseUrl: string;
  /** Null: there is no key, and nothing is signed. */
  signer: Signer | null;
  count: (outcome: SignatureOutcome) => void;
}

/** A copy that is to be signed. */
export interface SignedCopy {
  image: Pick<VisibleImage, 'imageId'>;
  variant: string;
  format: string;
  /** A copy of the size ladder or the whole picture: there is more room for its manifest. */
  isCanonical: boolean;
}

type Markable = Pick<VisibleImage, 'imageId' | 'isStyled' | 'isPublic'>;

const shortName = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 8);

export function createMarks({ pool, clock, publicBaseUrl, signer, count }: MarkPorts) {
  const names = markNames(publicBaseUrl, signer?.fingerprint ?? '');
  const marked = ({ imageId, isStyled }: Markable, isSigned: boolean): Mark | null => {
    if (!isStyled) return null;
    const xmp = stagedXmp(provenanceUrl(publicBaseUrl, imageId));
    return { name: isSigned ? names.signed : names.unsigned, xmp, isSigned };
  };
  const noRoom = () => {
    count('no_room');
    return new NotSigned('no further manifest of this picture is recorded');
  };
  const of = (image: Markable): Mark | null => marked(image, image.isPublic && signer?.canSign === true);
  const unsigned = (image: Markable): Mark | null => marked(image, false);
  const signed = async (copy: SignedCopy, render: () => Promise<Buffer>): Promise<Buffer> => {
    if (signer === null) throw new NotSigned('there is no key');
    const { image, variant, format, isCanonical } = copy;
    const manifestId = manifestIdOf(image.imageId, variant, signer.fingerprint);
    const row = { stagedImageId: image.imageId, variant, manifestId, isCanonical };
    const sources = await findManifestSources(pool, row);
    if (!sources?.hasRoom) throw noRoom();
    const { original, providerModel } = sources;
    const { checksum } = original;
    // A picture that was approved before there were records: a worker reads the checksum soon.
    if (checksum === null) {
      count('no_checksum');
      throw new NotSigned('the checksum of the original is not known yet');
    }
    const facts: ManifestFacts = {
      manifestId,
      stagedImageId: image.imageId,
      format,
      original: {
        imageId: original.imageId,
        format: original.format,
        checksum,
        address: imageUrl(publicBaseUrl, original.imageId),
      },
      providerModel,
    };
    // The decoder's time hides that of the commit. A copy that fails leaves the row of a manifest that no one has.
    const [rendered, isRecorded] = await Promise.all([
      render(),
      recordManifest(pool, { ...row, at: clock.now() }),
    ]);
    if (!isRecorded) throw noRoom();
    const bytes = await signer.sign(facts, rendered).catch((error: unknown) => {
      count('failed');
      throw error;
    });
    count('signed');
    return bytes;
  };
  return {
    /** What copies of the picture carry now; null for an original. */
    of,
    /** The marks without a signature. */
    unsigned,
    /**
     * The rendered copy with its signed and recorded manifest.
     * @throws NotSigned when it cannot be signed, or when the picture has no room for another manifest.
     */
    signed,
    /** The copy that `render` makes with the marks of the picture; without a signature when it cannot be signed now. */
    async marked(
      copy: Omit<SignedCopy, 'image'> & { image: Markable },
      render: (mark: Mark | null) => Promise<Buffer>,
    ): Promise<Buffer> {
      const mark = of(copy.image);
      if (!mark?.isSigned) return render(mark);
      try {
        return await signed({ ...copy, variant: `${copy.variant}-${mark.name}` }, () => render(mark));
      } catch (error) {
        if (error instanceof NotSigned) return render(unsigned(copy.image));
        throw error;
      }
    },
  };
}

export type Marks = ReturnType<typeof createMarks>;

/** The names follow from all that the marks of any picture say. */
function markNames(publicBaseUrl: string, fingerprint: string) {
  const xmp = stagedXmp(provenanceUrl(publicBaseUrl, ''));
  const original = { imageId: '', format: '', checksum: '', address: imageUrl(publicBaseUrl, '') };
  const facts = { manifestId: '', stagedImageId: '', format: '', original, providerModel: '' };
  const manifest = JSON.stringify([manifestDefinition(facts), parentIngredient(facts)]);
  return { unsigned: `x${shortName(xmp)}`, signed: `s${shortName(`${xmp}|${manifest}|${fingerprint}`)}` };
}
