import { z } from 'zod';

/**
 * Which pictures of a home a buyer wants to see (docs/contract.md#disclosure): `any` as they stand, each staged picture
 * after its original; `realFirst` all originals before all staged and altered pictures; `realOnly` neither of these. It says
 * nothing about which homes are found.
 */
export const PICTURE_CHOICES = ['any', 'realFirst', 'realOnly'] as const;
export type PictureChoice = (typeof PICTURE_CHOICES)[number];

const DEFAULT_PICTURES: PictureChoice = 'any';
export const pictureChoice = z.enum(PICTURE_CHOICES).default(DEFAULT_PICTURES);

/** Returned with the chosen pictures. */
export const hiddenStaged = {
  /** How many staged or altered pictures were left out because of `pictures: realOnly`; otherwise 0. */
  hiddenStagedCount: z.int(),
};

/** Pictures in the order of the gallery as a choice shows them, and how many staged or altered ones it hides. */
export function chosenPictures<Image extends { readonly disclosureLabel: string | null }>(
  images: readonly Image[],
  choice: PictureChoice,
): { images: Image[]; hiddenStagedCount: number } {
  if (choice === DEFAULT_PICTURES) return { images: [...images], hiddenStagedCount: 0 };
  const originals = images.filter(({ disclosureLabel }) => disclosureLabel === null);
  if (choice === 'realOnly')
    return { images: originals, hiddenStagedCount: images.length - originals.length };
  const altered = images.filter(({ disclosureLabel }) => disclosureLabel !== null);
  return { images: [...originals, ...altered], hiddenStagedCount: 0 };
}
