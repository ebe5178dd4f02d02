import type { z } from 'zod';
import { ROOM_SUBJECTS } from '../../../machines/disclosure/photo-subject.ts';
import { MAX_PHOTO_BYTES } from '../../../machines/limits.ts';
import { changeOriginal } from '../../../persistence/images/image-changes.ts';
import { imagesForAgent, type PropertyImageView } from '../../../persistence/images/image-queries.ts';
import { isPropertyOfAgent } from '../../../persistence/listings/property-queries.ts';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { withRetries } from '../../../supervisors/actors/retry-policy.ts';
import type { Auth, SessionUser } from '../../auth/auth.ts';
import { isJson } from '../../auth/request-body.ts';
import { asSignedIn } from '../../auth/route-session.ts';
import { type FieldMessages, PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { fieldsOf } from '../../errors/input-fields.ts';
import { bodyText } from '../../http/body-text.ts';
import { errorResponse } from '../../http/error-response.ts';
import { type HttpRequest, type HttpResponse, json, type Route } from '../../http/message.ts';
import { fileHash } from '../../repeats/repeatable-call.ts';
import { repeatable } from '../../repeats/repeatable-route.ts';
import { type ImagePatch, imagePatch, toImage, uploadFields } from '../../wire/images.ts';
import { uuid } from '../../wire/text.ts';
import type { ImageServices } from '../services.ts';
import { type PhotoUploadLimits, withPhotoUpload } from './multipart.ts';
import { type PhotoToStore, stagedPicture, storePhoto } from './photo-upload.ts';

/**
 * Runs a route for a signed-in agent. Signed-out callers get UNAUTHORIZED; customers get NOT_FOUND. A renewed cookie is
 * sent with any answer.
 */
function asAgent(
  auth: Pick<Auth, 'resolveSession'>,
  request: HttpRequest,
  work: (agent: SessionUser) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  return asSignedIn(auth, request, async (user) => {
    if (user.role !== 'agent') throw new PublicError('NOT_FOUND');
    return work(user);
  });
}

/**
 * `POST /api/property-images`, `PATCH` and `DELETE /api/property-images/{id}` (docs/contract.md#photos). Only for
 * agents of the property: others get the answer for an id that does not exist.
 */
const PATH = '/api/property-images';
/** The photo, the form around it, and room for additional fields. */
const UPLOAD_BODY_BYTES = MAX_PHOTO_BYTES + 64 * 1024;
/** Enough for 25 MiB from a phone on a slow connection. */
const UPLOAD_BODY_MS = 180_000;
/** Time to wait for a decoder, to decode, and to put a very large photo. */
const UPLOAD_ANSWER_MS = 180_000;
const NOT_ASKED = 'This photo is still being checked. Wait for the result.';
const NOT_IN_FRONT = 'Send the id of the listing, in front of the file.';
const ROOM_TYPE_IN_USE =
  'This photo is being staged as another kind of room. Wait for the result, or cancel the job, then change it.';

export function propertyImageRoutes(services: ImageServices, auth: Pick<Auth, 'resolveSession'>): Route[] {
  return [
    {
      methods: ['POST'],
      path: PATH,
      bodyLimit: UPLOAD_BODY_BYTES,
      bodyKind: 'uploads',
      bodyTimeoutMs: UPLOAD_BODY_MS,
      responseTimeoutMs: UPLOAD_ANSWER_MS,
      // When the announced length of a body is too large, the photo is too large.
      errorResponse: (error) =>
        errorResponse(
          error.code === 'PAYLOAD_TOO_LARGE' ? new PublicError('PHOTO_TOO_LARGE', { cause: error }) : error,
        ),
      handler: (request) => asAgent(auth, request, (agent) => upload(services, agent.id, request)),
    },
    {
      methods: ['PATCH'],
      path: `${PATH}/:imageId`,
      bodyLimit: 16 * 1024,
      handler: (request) => asAgent(auth, request, (agent) => patch(services, agent.id, request)),
    },
    {
      methods: ['DELETE'],
      path: `${PATH}/:imageId`,
      bodyLimit: 16 * 1024,
      lessens: () => true,
      handler: (request) =>
        asAgent(auth, request, ({ id: userId }) => {
          const call = { userId, operation: `DELETE ${PATH}/:imageId`, input: () => request.params };
          return repeatable(services, request, call, () => remove(services, userId, request));
        }),
    },
  ];
}

/** Checks that the agent may edit the listing and that it has room for the photo, before the photo is read. */
function upload(services: ImageServices, agentId: string, request: HttpRequest): Promise<HttpResponse> {
  const limits: PhotoUploadLimits = {
    maxFileBytes: MAX_PHOTO_BYTES,
    fields: ['propertyId', 'roomType', 'imageOf'],
    async beforeFile(inFront) {
      if (inFront.propertyId === undefined) throw invalid({ propertyId: [NOT_IN_FRONT] });
      const { propertyId } = parsed(uploadFields, inFront);
      if (!(await isPropertyOfAgent(services.pool, { propertyId, agentId })))
        throw new PublicError('NOT_FOUND');
      await request.letBodyIn(agentId);
    },
  };
  return withPhotoUpload(request, limits, ({ fields, file }) => {
    const given = parsed(uploadFields, fields);
    const { propertyId, roomType, imageOf = roomType && ROOM_SUBJECTS[roomType] } = given;
    const input = () => ({ ...given, file: fileHash(file) });
    const call = { userId: agentId, operation: `POST ${PATH}`, input };
    return repeatable(services, request, call, async (keepAnswer) => {
      const keep: PhotoToStore['keep'] = (client, image) => keepAnswer(client, answer(services, 201, image));
      const { remoteAddress, signal } = request;
      const photo = { propertyId, imageOf, userId: agentId, remoteAddress, file, signal, keep };
      const image = await storePhoto(services, photo);
      services.search.propertyChanged(image.propertyId);
      return answer(services, 201, image);
    });
  });
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw invalid(fieldsOf(read.error) ?? {});
}

async function patch(services: ImageServices, agentId: string, request: HttpRequest): Promise<HttpResponse> {
  const change = await readPatch(request);
  const input = () => ({ ...change, imageId: request.params.imageId });
  const call = { userId: agentId, operation: `PATCH ${PATH}/:imageId`, input };
  return repeatable(services, request, call, () => changeImage(services, agentId, { request, change }));
}

async function changeImage(
  services: ImageServices,
  agentId: string,
  { request, change }: { request: HttpRequest; change: ImagePatch },
): Promise<HttpResponse> {
  const image = await findImage(services, agentId, request);
  if (image.isStyled) {
    refuseForStaged(change);
    return answer(services, 200, image);
  }
  const { imageId, propertyId } = image;
  const result = await withRetries(services, () =>
    changeOriginal(services.pool, { imageId, propertyId, agentId, change, at: services.clock.now() }),
  );
  if (result.outcome === 'in-use')
    throw new PublicError('CONFLICT', { message: ROOM_TYPE_IN_USE, messageKey: 'studio.photo.inUse' });
  if (result.outcome === 'altered') throw new PublicError('STAGED_CANNOT_BE_MAIN');
  if (result.outcome === 'no-question') {
    if (result.state === 'STAGED_PICTURE') throw stagedPicture(image.stagedImageId);
    throw new PublicError('CONFLICT', { message: NOT_ASKED, messageKey: 'studio.photo.waits' });
  }
  if (result.outcome === 'missing') throw new PublicError('NOT_FOUND');
  services.search.propertyChanged(propertyId);
  return answer(services, 200, result.image);
}

/** A staged image is never the cover, follows its original in order and shows what it was made for. */
function refuseForStaged({ isMain, position, roomType, imageOf, isTruePhoto }: ImagePatch): void {
  if (isMain) throw new PublicError('STAGED_CANNOT_BE_MAIN');
  const fields: Record<string, string[]> = {};
  if (position !== undefined) fields.position = ['A staged image follows its original. Move the original.'];
  if (roomType !== undefined) fields.roomType = ['A staged image keeps the kind of room it was made for.'];
  if (imageOf !== undefined) fields.imageOf = ['A staged image shows the room it was made for.'];
  if (isTruePhoto) fields.isTruePhoto = ['A staged image is no photo.'];
  if (Object.keys(fields).length > 0) throw invalid(fields);
}

async function remove(services: ImageServices, agentId: string, request: HttpRequest): Promise<HttpResponse> {
  const { imageId, isStyled, propertyId } = await findImage(services, agentId, request);
  if (isStyled) throw new PublicError('STAGED_DELETE_REFUSED');
  const deletion = { imageId, at: services.clock.now(), by: `user:${agentId}` };
  if (!(await deleteOriginal(services.actorSystem, deletion))) throw new PublicError('NOT_FOUND');
  services.search.propertyChanged(propertyId);
  return json(200, { imageId, deleted: true });
}

async function findImage(
  { pool }: ImageServices,
  agentId: string,
  { params }: HttpRequest,
): Promise<PropertyImageView> {
  const imageId = found(uuid.safeParse(params.imageId).data);
  const [image] = await imagesForAgent(pool, { imageIds: [imageId], agentId });
  return found(image);
}

async function readPatch(request: HttpRequest): Promise<ImagePatch> {
  if (!isJson(request.headers.get('content-type') ?? null)) throw new PublicError('UNSUPPORTED_MEDIA_TYPE');
  let value: unknown;
  try {
    value = JSON.parse(await bodyText(request));
  } catch (error) {
    if (error instanceof PublicError) throw error;
    throw new PublicError('INVALID_INPUT', { message: 'The body is not JSON.' });
  }
  return parsed(imagePatch, value);
}

function answer({ settings }: ImageServices, status: number, image: PropertyImageView): HttpResponse {
  return json(status, toImage(image, settings.publicBaseUrl), [['cache-control', 'no-store']]);
}

function invalid(fields: FieldMessages): PublicError {
  return new PublicError('INVALID_INPUT', { fields });
}
