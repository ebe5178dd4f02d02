import type { z } from 'zod';
import type { imageOutput, imagePatch, uploadFields } from '../../src/wire/images.ts';
import { plainOutput } from './answer.ts';
import { jsonCall } from './json-call.ts';
import { multipart } from './multipart.ts';
import type { Open } from './open-values.ts';
import type { Outputs } from './procedures.ts';
import type { Call, CallOptions, Sender } from './sender.ts';
import type { Timing } from './timing.ts';

export type PropertyImage = Open<z.output<typeof imageOutput>>;
type ImagePatch = z.input<typeof imagePatch>;
type ImageOf = Exclude<z.input<typeof uploadFields>['imageOf'], '' | undefined>;
type Me = Outputs['users']['getMe'];

/** Uploads may take minutes on a slow line; the server waits as long for their body. */
const UPLOAD_TIMEOUT_MS = 180_000;

export interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType?: string;
  readonly fileName?: string;
}

export interface ImageSize {
  /** Pixels, 1 to 4096; the server rounds up to its fixed steps, at most 2048. */
  readonly width?: number;
  readonly height?: number;
  readonly fit?: 'cover' | 'contain';
  readonly format?: 'auto' | 'jpeg' | 'webp' | 'avif';
  /** 1 to 100; rounded up to a step. */
  readonly quality?: number;
}

/**
 * Pictures of listings and people (docs/contract.md#showing-pictures). JPEG, PNG, WebP, AVIF or HEIC up to 25 MiB;
 * docs/api.md says the bounds of the sides.
 */
export interface Images {
  /** `imageOf` is what the photo shows, a room as well: only one of it and `roomType` is given. */
  upload(
    given: { propertyId: string; picture: Picture; roomType?: string; imageOf?: ImageOf },
    options?: CallOptions,
  ): Promise<PropertyImage>;
  /**
   * Of an original: whether it is the cover, its place among the originals from 0, what it shows. What is left out stays.
   * @throws ApiError with errorCode STAGED_CANNOT_BE_MAIN for a staged image
   */
  change(given: { imageId: string } & ImagePatch, options?: CallOptions): Promise<PropertyImage>;
  /** Of an original, with everything staged from it. @throws ApiError STAGED_DELETE_REFUSED for a staged image */
  remove(imageId: string, options?: CallOptions): Promise<void>;
  uploadAvatar(picture: Picture, options?: CallOptions): Promise<Me>;
  removeAvatar(options?: CallOptions): Promise<Me>;
  /** Where to load an image from, in the size to be shown. Private ones need the session cookie. */
  url(imageId: string, size?: ImageSize): string;
}

const PROPERTY_IMAGES = '/api/property-images';
const AVATAR = '/api/users/avatar';

export function createImages(
  sender: Sender,
  { baseUrl, timing }: { baseUrl: string; timing: Timing },
): Images {
  const form = (fields: Record<string, string>, { bytes, contentType, fileName }: Picture) =>
    multipart(
      {
        fields,
        file: {
          bytes,
          contentType: contentType ?? 'application/octet-stream',
          fileName: fileName ?? 'photo',
        },
      },
      timing.random,
    );
  const upload = (call: Call, options: CallOptions | undefined) =>
    sender.send(call, { timeoutMs: UPLOAD_TIMEOUT_MS, ...options });
  const one = (imageId: string) => `${PROPERTY_IMAGES}/${encodeURIComponent(imageId)}`;
  return {
    async upload({ propertyId, picture, roomType, imageOf }, options) {
      const fields = {
        propertyId,
        ...(roomType === undefined ? {} : { roomType }),
        ...(imageOf === undefined ? {} : { imageOf }),
      };
      const parts = form(fields, picture);
      const call: Call = { method: 'POST', path: PROPERTY_IMAGES, isRepeatable: true, ...parts };
      return plainOutput(await upload(call, options)) as PropertyImage;
    },
    async change({ imageId, ...patch }, options) {
      return plainOutput(
        await sender.send({ ...jsonCall('PATCH', one(imageId), patch), isRepeatable: true }, options),
      ) as PropertyImage;
    },
    async remove(imageId, options) {
      await sender.send({ method: 'DELETE', path: one(imageId), isRepeatable: true }, options);
    },
    async uploadAvatar(picture, options) {
      const call: Call = { method: 'PUT', path: AVATAR, isRepeatable: true, ...form({}, picture) };
      return plainOutput(await upload(call, options)) as Me;
    },
    async removeAvatar(options) {
      return plainOutput(
        await sender.send({ method: 'DELETE', path: AVATAR, isRepeatable: true }, options),
      ) as Me;
    },
    url: (imageId, size) => imageUrl(baseUrl, imageId, size),
  };
}

/** The address of an image at the image proxy. */
export function imageUrl(baseUrl: string, imageId: string, size: ImageSize = {}): string {
  const url = new URL(`/api/images/${encodeURIComponent(imageId)}`, baseUrl);
  const given = { w: size.width, h: size.height, fit: size.fit, format: size.format, q: size.quality };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
