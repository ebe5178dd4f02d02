/**
 * The marks of staged pictures (docs/contract.md#marks): XMP in every copy; in copies of public ones also a signed
 * manifest, when the role has a key. Always true: a manifest that leaves has its row, which is committed before the
 * signature. It is not written with the row of the stored copy, because copies that are not stored are answered too.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { siteName } from '../../../i18n/translator.ts';
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import { findManifestSources, recordManifest } from '../../../persistence/images/provenance-manifests.ts';
import type { Clock } from '../../../supervisors/ports.ts';
import type { SignatureOutcome } from '../../telemetry/metrics.ts';
import { VERSION } from '../../version.ts';
import { imageUrl, provenanceUrl } from '../../wire/images.ts';
import { type ManifestFacts, manifestDefinition, manifestIdOf, parentIngredient } from './manifest.ts';
import type { CopyChange, Mark } from './mark.ts';
import { NotSigned, type Signer } from './signer.ts';
import { stagedXmp } from './xmp.ts';

/** A small JPEG of an original, without its metadata; null when its object is gone. */
export type OriginalThumbnails = (original: {
  imageId: string;
  objectKey: string;
}) => Promise<Uint8Array | null>;

interface MarkPorts {
  pool: Pool;
  clock: Clock;
  publicBaseUrl: string;
  /** Null: there is no key, and nothing is signed. */
  signer: Signer | null;
  count: (outcome: SignatureOutcome) => void;
  thumbnailOf: OriginalThumbnails;
}

/** A copy that is to be signed. */
export interface SignedCopy {
  image: Pick<VisibleImage, 'imageId'>;
  variant: string;
  format: string;
  changes: readonly CopyChange[];
  /** The longer side in pixels: large copies show the original inside their manifest. */
  longSide: number;
}

type Markable = Pick<VisibleImage, 'imageId' | 'isStyled' | 'isPublic'>;

/** From this side on, a copy has room for a picture of its original. */
const THUMBNAIL_FROM = 1_024;

const shortName = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 8);

export function createMarks({ pool, clock, publicBaseUrl, signer, count, thumbnailOf }: MarkPorts) {
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
  const unusual = ({ imageId, isStyled }: Markable): Mark | null => {
    if (!isStyled) return null;
    const xmp = stagedXmp(provenanceUrl(publicBaseUrl, imageId), { isUnusual: true });
    return { name: names.unusual, xmp, isSigned: false };
  };
  const signed = async (copy: SignedCopy, render: () => Promise<Buffer>): Promise<Buffer> => {
    if (signer === null) throw new NotSigned('there is no key');
    const { image, variant, format, changes, longSide } = copy;
    const manifestId = manifestIdOf(image.imageId, variant, signer.fingerprint);
    const row = { stagedImageId: image.imageId, variant, manifestId };
    const sources = await findManifestSources(pool, row);
    if (!sources?.hasRoom) throw noRoom();
    const { original, providerModel, stagedAt } = sources;
    const { checksum } = original;
    // A picture that was approved before there were records: a worker reads the checksum soon.
    if (checksum === null) {
      count('no_checksum');
      throw new NotSigned('the checksum of the original is not known yet');
    }
    const signedAt = clock.now();
    const facts = {
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
      recordAddress: provenanceUrl(publicBaseUrl, image.imageId),
      changes,
      stagedAt,
      signedAt,
      operator: siteName(),
      version: VERSION,
    };
    // The decoder's time hides that of the commit. A copy that fails leaves the row of a manifest that no one has.
    const [rendered, isRecorded] = await Promise.all([
      render(),
      recordManifest(pool, { ...row, at: signedAt }),
    ]);
    if (!isRecorded) throw noRoom();
    try {
      const thumbnail = longSide < THUMBNAIL_FROM ? null : await thumbnailOf(original);
      const bytes = await signer.sign({ ...facts, thumbnail }, rendered);
      count('signed');
      return bytes;
    } catch (error) {
      count('failed');
      throw error instanceof NotSigned
        ? error
        : new NotSigned('the original could not be read', { cause: error });
    }
  };
  return {
    /** What copies of the picture carry now; null for an original. */
    of,
    /** The marks without a signature. */
    unsigned,
    /** The marks of a copy that would be signed if its size were one of the ladder's. */
    unusual,
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

/** The names follow from all that the marks of any picture say. A new version alone makes no copy again. */
function markNames(publicBaseUrl: string, fingerprint: string) {
  const address = provenanceUrl(publicBaseUrl, '');
  const [xmp, unusual] = [stagedXmp(address), stagedXmp(address, { isUnusual: true })];
  const facts: ManifestFacts = {
    manifestId: '',
    stagedImageId: '',
    format: '',
    original: { imageId: '', format: '', checksum: '', address: imageUrl(publicBaseUrl, '') },
    providerModel: '',
    recordAddress: address,
    changes: ['cropped', 'resized', 'labeled', 'converted'],
    stagedAt: 0,
    signedAt: 0,
    thumbnail: new Uint8Array(),
    operator: siteName(),
    version: '',
  };
  const manifest = JSON.stringify([manifestDefinition(facts), parentIngredient(facts)]);
  return {
    unsigned: `x${shortName(xmp)}`,
    unusual: `x${shortName(unusual)}`,
    signed: `s${shortName(`${xmp}|${manifest}|${fingerprint}`)}`,
  };
}
