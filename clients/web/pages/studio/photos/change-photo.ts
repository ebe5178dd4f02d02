import { jsonCall } from '../../../../typescript/json-call.ts';
import type { BrowserSender } from '../../../app/browser-sender.ts';
import type { RoomType } from '../studio-queries.ts';

interface PhotoChange {
  readonly isMain?: boolean;
  /** From 0. */
  readonly position?: number;
  readonly roomType?: RoomType | null;
}

const pathOf = (imageId: string): string => `/api/property-images/${imageId}`;

/** @throws ApiError CONFLICT while the photo is being staged as another room */
export async function changePhoto(
  { send }: BrowserSender,
  imageId: string,
  change: PhotoChange,
): Promise<void> {
  await send({ ...jsonCall('PATCH', pathOf(imageId), change), isRepeatable: true });
}

export async function deletePhoto({ send }: BrowserSender, imageId: string): Promise<void> {
  await send({ method: 'DELETE', path: pathOf(imageId), isRepeatable: true });
}
