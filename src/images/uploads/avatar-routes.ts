import type { UserProfile } from '../../../persistence/accounts/user-queries.ts';
import { findAvatar, removeAvatar } from '../../../persistence/images/avatar-queries.ts';
import { withRetries } from '../../../supervisors/actors/retry-policy.ts';
import type { Auth } from '../../auth/auth.ts';
import { asSignedIn } from '../../auth/route-session.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { matchesEntityTag } from '../../http/entity-tag.ts';
import { asPublicError, errorResponse } from '../../http/error-response.ts';
import {
  type HttpHeader,
  type HttpRequest,
  type HttpResponse,
  json,
  type Route,
} from '../../http/message.ts';
import { fileHash } from '../../repeats/repeatable-call.ts';
import { repeatable } from '../../repeats/repeatable-route.ts';
import { uuid } from '../../wire/text.ts';
import { toMe } from '../../wire/users.ts';
import { MAX_AVATAR_BYTES } from '../decoding/picture-bounds.ts';
import { readError } from '../photo-storage.ts';
import { contentHeaders, PUBLIC_CACHING } from '../renditions/image-answer.ts';
import type { ImageServices } from '../services.ts';
import { type AvatarToStore, asAvatarError, storeAvatar } from './avatar-upload.ts';
import { type PhotoUploadLimits, withPhotoUpload } from './multipart.ts';

/**
 * `PUT` and `DELETE /api/users/avatar` for signed-in callers, both answered like `users.getMe`; `GET
 * /api/avatars/{avatarId}` for every caller.
 */
const OWN_PATH = '/api/users/avatar';
const PUBLIC_PATH = '/api/avatars/:avatarId';
const UPLOAD_BODY_BYTES = MAX_AVATAR_BYTES + 64 * 1024;
/** Enough for 10 MiB from a phone on a slow connection; after that the picture may wait for a decoder. */
const UPLOAD_BODY_MS = 120_000;
const UPLOAD_ANSWER_MS = 120_000;

export function avatarRoutes(services: ImageServices, auth: Pick<Auth, 'resolveSession'>): Route[] {
  return [
    {
      methods: ['PUT'],
      path: OWN_PATH,
      bodyLimit: UPLOAD_BODY_BYTES,
      bodyKind: 'uploads',
      bodyTimeoutMs: UPLOAD_BODY_MS,
      responseTimeoutMs: UPLOAD_ANSWER_MS,
      errorResponse: (error) => errorResponse(asAvatarError(error)),
      handler: (request) => asSignedIn(auth, request, ({ id }) => upload(services, id, request)),
    },
    {
      methods: ['DELETE'],
      path: OWN_PATH,
      bodyLimit: 1024,
      lessens: () => true,
      handler: (request) =>
        asSignedIn(auth, request, ({ id: userId }) => {
          const call = { userId, operation: `DELETE ${OWN_PATH}`, input: () => null };
          return repeatable(services, request, call, () => remove(services, userId));
        }),
    },
    { methods: ['GET'], path: PUBLIC_PATH, bodyLimit: 1024, handler: (request) => show(services, request) },
  ];
}

async function upload(services: ImageServices, userId: string, request: HttpRequest): Promise<HttpResponse> {
  const limits: PhotoUploadLimits = {
    maxFileBytes: MAX_AVATAR_BYTES,
    fields: [],
    beforeFile: () => request.letBodyIn(userId),
  };
  try {
    return await withPhotoUpload(request, limits, ({ file }) => {
      const call = { userId, operation: `PUT ${OWN_PATH}`, input: () => ({ file: fileHash(file) }) };
      return repeatable(services, request, call, async (keepAnswer) => {
        const keep: AvatarToStore['keep'] = (client, profile) => keepAnswer(client, own(profile));
        return own(
          await storeAvatar(services, {
            userId,
            remoteAddress: request.remoteAddress,
            file,
            signal: request.signal,
            keep,
          }),
        );
      });
    });
  } catch (error) {
    throw asAvatarError(asPublicError(error));
  }
}

async function remove(services: ImageServices, userId: string): Promise<HttpResponse> {
  const removal = { userId, at: services.clock.now() };
  return own(await withRetries(services, () => removeAvatar(services.pool, removal)));
}

function own(profile: UserProfile | null): HttpResponse {
  // The account was deleted after the session was read: the caller is unauthenticated now.
  if (profile === null) throw new PublicError('UNAUTHORIZED');
  return json(200, toMe(profile), [['cache-control', 'no-store']]);
}

async function show(services: ImageServices, request: HttpRequest): Promise<HttpResponse> {
  const avatarId = found(uuid.safeParse(request.params.avatarId).data);
  const avatar = found(await findAvatar(services.pool, avatarId));
  const etag = `"${avatar.checksum.slice(0, 32)}"`;
  const caching: HttpHeader[] = [
    ['cache-control', PUBLIC_CACHING],
    ['etag', etag],
  ];
  if (matchesEntityTag(request.headers.get('if-none-match'), etag))
    return { status: 304, headers: caching, body: null };
  try {
    const { bytes } = await services.storage.get(avatar.objectKey, { signal: request.signal });
    return { status: 200, headers: [...contentHeaders('jpeg'), ...caching], body: bytes };
  } catch (error) {
    const names = { avatarId, objectKey: avatar.objectKey };
    throw readError(error, () => services.logger.error(names, 'an avatar has lost its object'));
  }
}
