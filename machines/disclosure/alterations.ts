/**
 * Photos that someone altered elsewhere, before they came here (docs/contract.md#altered-photos). The values are those
 * of RESO's lookup `MediaAlteration`; an unaltered photo has none.
 */
export const MEDIA_ALTERATIONS = [
  'Decluttered - Item Removed',
  'Model Home',
  'Other Media Modification',
  'Twilight Conversion',
  'Virtual Enhancements',
  'Virtual Renovation',
  'Virtual Representation - To Be Built',
  'Virtual Representation - Under Construction',
  'Virtual Staging - Item Addition',
] as const;
export type MediaAlteration = (typeof MEDIA_ALTERATIONS)[number];

/** Whose word it is that a photo was altered. */
export const ALTERATION_SOURCES = ['AGENT', 'FILE', 'FEED'] as const;
export type AlterationSource = (typeof ALTERATION_SOURCES)[number];

const VIRTUAL_STAGING = 'Virtual Staging';

/** Whether furniture was added by a computer, and nothing else. */
export const isVirtualStaging = (alteration: MediaAlteration): boolean =>
  alteration.startsWith(VIRTUAL_STAGING);

/** The label of an altered photo, in the words of the markets' rules. */
export const alteredLabel = (alteration: MediaAlteration): 'Virtually staged' | 'Digitally altered' =>
  isVirtualStaging(alteration) ? 'Virtually staged' : 'Digitally altered';
