import { createHash } from 'node:crypto';
import {
  isVirtualStaging,
  MEDIA_ALTERATIONS,
  type MediaAlteration,
} from '../../../machines/disclosure/alterations.ts';
import { PHOTO_SUBJECTS, type PhotoSubject } from '../../../machines/disclosure/photo-subject.ts';
import type { Standard } from './features.ts';
import { instant, listed, oneOf, text, whole, yesNo } from './values.ts';

/** A picture of a listing, as its record names it. */
export interface FeedPicture {
  readonly key: string;
  /** In the order of the feed; pictures without one come in the order of the record. */
  readonly position: number;
  readonly isPreferred: boolean;
  readonly url: string | null;
  readonly modifiedAt: number | null;
  readonly subject: PhotoSubject | null;
  readonly alteration: MediaAlteration | null;
  /** Why it may not be a picture here; null when it may. */
  readonly reason: PictureReason | null;
}

/** `PERMISSION`: the record does not allow it. `LISTING_HIDDEN`: its listing is not shown. `NO_ADDRESS`: it has none. */
type PictureReason = 'PERMISSION' | 'LISTING_HIDDEN' | 'NO_ADDRESS';

export interface MediaTerms {
  /** One of these permissions, or none, may be shown. */
  readonly permissions: readonly string[];
  readonly isHidden: boolean;
}

/** Far more than listings have; the rest stays in the record. */
const MOST_PICTURES = 200;
/** Each of these says that the picture is not for the public, whatever else is said. */
const NOT_PUBLIC = ['Private', 'Agent Only', 'Firm Only', 'Office Only'];
const NONE = 'None';

/**
 * The photos among the media of a record; null when the record does not say (it came without its media), and nothing
 * follows from it. Floor plans, videos and documents stay in the record alone. Pure.
 */
export function mapMedia(
  body: Readonly<Record<string, unknown>>,
  terms: MediaTerms,
  standard: Standard,
): FeedPicture[] | null {
  const { Media: media } = body;
  if (!Array.isArray(media)) return null;
  const photos = media.filter((one): one is Row => isPhoto(one, standard));
  const pictures = photos.map((row, index) => pictureOf(row, index, { terms, standard }));
  // Of two with one key the later one counts, as it does for records.
  return [...new Map(pictures.map((one) => [one.key, one])).values()]
    .toSorted((one, other) => one.position - other.position)
    .slice(0, MOST_PICTURES);
}

type Row = Readonly<Record<string, unknown>>;

function isPhoto(row: unknown, standard: Standard): boolean {
  if (typeof row !== 'object' || row === null) return false;
  const { MediaCategory, ResourceName } = row as Row;
  const isOfListing = ResourceName === undefined || ResourceName === null || ResourceName === 'Property';
  return isOfListing && standard('MediaCategory', text(100)(MediaCategory) ?? '') === 'Photo';
}

const position = whole(0, 100_000);
const address = text(4_000);
const subject = oneOf(PHOTO_SUBJECTS);

function pictureOf(
  row: Row,
  index: number,
  { terms, standard }: { terms: MediaTerms; standard: Standard },
): FeedPicture {
  const url = callable(address(row.MediaURL));
  const [shows] = listed(row.ImageOf);
  return {
    key: keyOf(row),
    position: position(row.Order) ?? index,
    isPreferred: yesNo(row.PreferredPhotoYN) ?? false,
    url,
    modifiedAt: instant(row.MediaModificationTimestamp) ?? null,
    subject: (shows !== undefined && subject(standard('ImageOf', shows))) || null,
    alteration: alterationOf(row, standard),
    reason: !isAllowed(listed(row.Permission), terms)
      ? 'PERMISSION'
      : terms.isHidden
        ? 'LISTING_HIDDEN'
        : url === null
          ? 'NO_ADDRESS'
          : null,
  };
}

/** A picture without a key is known by its address. */
function keyOf({ MediaKey, MediaURL }: Row): string {
  const key = typeof MediaKey === 'number' ? String(MediaKey) : text(255)(MediaKey);
  return key ?? createHash('sha256').update(String(MediaURL)).digest('hex');
}

const callable = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? url : null;

function isAllowed(given: readonly string[], { permissions }: MediaTerms): boolean {
  if (given.length === 0) return true;
  return given.some((one) => permissions.includes(one)) && !given.some((one) => NOT_PUBLIC.includes(one));
}

/** Virtual staging before the others; what RESO does not name is an alteration, too. */
function alterationOf({ MediaAlteration: given }: Row, standard: Standard): MediaAlteration | null {
  const said = listed(given)
    .map((one) => standard('MediaAlteration', one))
    .filter((one) => one !== NONE && one !== '');
  if (said.length === 0) return null;
  const known = MEDIA_ALTERATIONS.filter((one) => said.includes(one));
  return known.find(isVirtualStaging) ?? known[0] ?? 'Other Media Modification';
}
