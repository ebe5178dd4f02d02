import type { Photo } from '../studio-queries.ts';

type Known = Pick<Photo, 'stagingRefusal' | 'roomType' | 'imageOf'>;

/** Photos of a patio or a floor plan are not staged; what others show may still be unknown. */
const showsNoRoom = ({ roomType, imageOf }: Known): boolean => roomType === null && imageOf !== null;

/** Whether a photo can be staged, once its room is known. */
export const canBeStaged = (photo: Known): boolean => photo.stagingRefusal === null && !showsNoRoom(photo);
