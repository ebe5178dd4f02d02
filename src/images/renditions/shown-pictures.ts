/**
 * The bytes of pictures as they leave the platform: copies of the size ladder, and whole pictures. Always true: every
 * file of a staged picture carries its marks (docs/contract.md#marks), so the stored bytes of one are never answered.
 * The caller's right to see a picture is checked before.
 */
import type { VisibleImage } from '../../../persistence/images/image-visibility.ts';
import { acceptedFormat, type RenditionFormat } from '../decoding/accepted-format.ts';
import {
  canonicalVariants,
  planRendition,
  planWhole,
  type RenditionPlan,
} from '../decoding/rendition-plan.ts';
import type { RenditionRequest } from '../decoding/rendition-request.ts';
import type { Mark } from '../marks/mark.ts';
import type { Marks } from '../marks/marks.ts';
import { NotSigned } from '../marks/signer.ts';
import { createRenditions, type RenditionPorts } from './renditions.ts';
import type { Joining } from './single-flight.ts';

/** What is wanted of a picture: a size of the ladder in a format, or the whole picture. */
export type Wish = { asked: RenditionRequest; format: RenditionFormat } | 'whole';

export interface ShownPicture {
  bytes: Buffer;
  /** What the bytes are. */
  plan: RenditionPlan;
}

const planned = (image: VisibleImage, wish: Wish, mark: Mark | null): RenditionPlan =>
  wish === 'whole' ? planWhole(image, mark) : planRendition(wish.asked, image, wish.format, mark);

/** The wish of a request; null for the stored bytes themselves, which are shown of originals only. */
export function wishOf(
  image: Pick<VisibleImage, 'isStyled'>,
  asked: RenditionRequest | null,
  accept: string | undefined,
): Wish | null {
  if (asked === null) return image.isStyled ? 'whole' : null;
  return { asked, format: asked.format === 'auto' ? acceptedFormat(accept) : asked.format };
}

export function createShownPictures(ports: RenditionPorts & { marks: Marks }) {
  const { marks } = ports;
  const renditions = createRenditions(ports);
  /** Only sizes of the ladder and whole pictures are signed: the sizes that anyone can ask for are very many. */
  const plan = (image: VisibleImage, wish: Wish): RenditionPlan => {
    const mark = marks.of(image);
    const wanted = planned(image, wish, mark);
    const isUsual = mark?.isSigned !== true || canonicalVariants(image, mark).includes(wanted.variant);
    return isUsual ? wanted : planned(image, wish, marks.unusual(image));
  };
  return {
    /** Resolves when no shown copy is still being stored. */
    settled: renditions.settled,
    /** The copy that is made for a wish now; nothing is made yet. */
    planFor: plan,
    /**
     * The picture with its marks; without a signature when it cannot be signed now.
     * @throws StorageError of the picture itself (`missing` when it was deleted), PublicError SERVICE_UNAVAILABLE
     *   when too many wait, or the signal's reason.
     */
    async show(image: VisibleImage, wish: Wish, asking: Joining): Promise<ShownPicture> {
      const wanted = plan(image, wish);
      try {
        return { plan: wanted, bytes: await renditions.of(image, wanted, asking) };
      } catch (error) {
        if (!(error instanceof NotSigned)) throw error;
        ports.logger.warn({ err: error, imageId: image.imageId }, 'a picture is shown without a signature');
        const unsigned = planned(image, wish, marks.unsigned(image));
        return { plan: unsigned, bytes: await renditions.of(image, unsigned, asking) };
      }
    },
  };
}

export type ShownPictures = ReturnType<typeof createShownPictures>;
