/** What became of a download: a new picture, the one that is here, to be tried again, or no picture. */
export const PICTURE_OUTCOMES = ['taken', 'same', 'failed', 'refused'] as const;
export type PictureOutcome = (typeof PICTURE_OUTCOMES)[number];
