import { jsonCall } from '../../../typescript/json-call.ts';
import type { BrowserSender } from '../../api/browser-sender.ts';
import { failureOf } from '../../api/failures.ts';
import type { ImageOf, RoomType } from './studio-queries.ts';

interface PhotoChange {
  readonly isMain?: boolean;
  /** From 0. */
  readonly position?: number;
  readonly roomType?: RoomType | null;
  /** Instead of a room. */
  readonly imageOf?: ImageOf;
  readonly isTruePhoto?: true;
}

const NOT_FOUND = 404;

const pathOf = (imageId: string): string => `/api/property-images/${imageId}`;

/** @throws ApiError CONFLICT while the photo is being staged as another room */
export async function changePhoto(
  { send }: BrowserSender,
  imageId: string,
  change: PhotoChange,
): Promise<void> {
  await send({ ...jsonCall('PATCH', pathOf(imageId), change), isRepeatable: true });
}

/** A photo that is gone already, since another agent was faster, is deleted. */
export async function deletePhoto({ send }: Pick<BrowserSender, 'send'>, imageId: string): Promise<void> {
  try {
    await send({ method: 'DELETE', path: pathOf(imageId), isRepeatable: true });
  } catch (error) {
    if (failureOf(error).httpStatus !== NOT_FOUND) throw error;
  }
}
