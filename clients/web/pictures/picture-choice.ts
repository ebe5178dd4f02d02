import type { Inputs } from '../../typescript/procedures.ts';
import type { AddressQuery } from '../addresses/address-query.ts';

type Choice = NonNullable<Inputs['properties']['getDetail']['pictures']>;

/** Which pictures of a home a buyer wants to see, in the order in which they are offered; the first one is the default. */
export const PICTURE_CHOICES = ['any', 'realFirst', 'realOnly'] as const satisfies Choice[];

/** A choice as it stands in the addresses of a search and of a home; without one, pictures are shown as they stand. */
export type PictureChoice = Exclude<Choice, 'any'>;

/** The choice of an address. Another value counts as none. */
export function pictureChoiceIn({ pictures }: AddressQuery): PictureChoice | undefined {
  const value = typeof pictures === 'string' ? pictures : pictures?.[0];
  return value === 'realFirst' || value === 'realOnly' ? value : undefined;
}

/** A choice as part of a question or of an address. */
export const picturesOf = (pictures: PictureChoice | undefined): { readonly pictures?: PictureChoice } =>
  pictures === undefined ? {} : { pictures };
