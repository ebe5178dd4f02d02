import {
  findPublicImages,
  findVisibleImage,
  type VisibleImage,
} from '../../../persistence/images/image-visibility.ts';
import type { Auth } from '../../auth/auth.ts';
import { withSession } from '../../auth/route-session.ts';
import { PublicError } from '../../errors/errors.ts';
import { found } from '../../errors/found.ts';
import { matchesEntityTag } from '../../http/entity-tag.ts';
import type { HttpRequest, HttpResponse, Route } from '../../http/message.ts';
import { networkOf } from '../../limits/client-network.ts';
import { uuid } from '../../wire/text.ts';
import { type RenditionRequest, readRenditionRequest } from '../decoding/rendition-request.ts';
import { readError } from '../photo-storage.ts';
import type { ImageServices } from '../services.ts';
import { createAnswerCache } from './answer-cache.ts';
import { createBatchLoader } from './batch-loader.ts';
import { cachingHeaders, contentHeaders, entityTag, notModified, type Shown } from './image-answer.ts';
import { objectBody } from './object-body.ts';
import { type ShownPictures, wishOf } from './shown-pictures.ts';

/**
 * `GET /api/images/{imageId}` (docs/contract.md#showing-pictures). Pictures by id only: no URL is ever fetched.
 * Public pictures are served to every caller, private ones to the listing's agents. Other callers get the answer
 * for an unknown id: the same statements run for both, and no data of the picture is read before.
 */
const PATH = '/api/images/:imageId';
const HEAT_MAP_PATH = `${PATH}/drift`;
/** For a large stored picture on a slow connection. The server ends a response that makes no progress. */
const READING_MS = 15 * 60_000;
/** Time to wait behind large uploads for a decoder, and then to decode. */
const ANSWER_MS = 120_000;
/** Each uses a database connection, which sign-in and all procedures need too. */
const MOST_LOOKUPS = 2;
/** Nearly all of it is also in the memory of stored copies, so it takes little more. */
const CACHE_BYTES = 16 * 1024 * 1024;

type Ports = Pick<ImageServices, 'pool' | 'storage' | 'clock' | 'logger'> & {
  pictures: Pick<ShownPictures, 'planFor' | 'show'>;
};

export function imageRoutes(services: Ports, auth: Pick<Auth, 'resolveSession'>): Route[] {
  const publicImage = createBatchLoader((ids) => findPublicImages(services.pool, ids), {
    mostAtOnce: MOST_LOOKUPS,
  });
  const cache = createAnswerCache({ clock: services.clock, maxBytes: CACHE_BYTES });
  const show = (request: HttpRequest, wanted: Wanted) => answer(services, request, wanted);
  /** Finds the picture for this caller and shows something of it; nothing of it is read before. */
  const ifVisible = async (request: HttpRequest, answerWith: (seen: Seen) => Promise<HttpResponse>) => {
    const imageId = found(uuid.safeParse(request.params.imageId).data);
    const open = await publicImage(imageId);
    if (open !== null) return answerWith({ image: open, audience: 'everybody' });
    return withSession(auth, request, async (user) => {
      if (user?.role !== 'agent') throw new PublicError('NOT_FOUND');
      const image = found(await findVisibleImage(services.pool, { imageId, agentId: user.id }));
      return answerWith({ image, audience: 'agents' });
    });
  };
  return [
    {
      methods: ['GET'],
      path: PATH,
      bodyLimit: 1024,
      responseTimeoutMs: ANSWER_MS,
      ready: cache.find,
      handler: async (request) => {
        const ready = cache.find(request);
        if (ready !== null) return ready;
        const asked = readRenditionRequest(request.query);
        const askedAt = services.clock.now();
        return ifVisible(request, async (seen) => {
          const response = await show(request, { ...seen, asked });
          if (seen.audience === 'everybody') cache.set(request, response, askedAt);
          return response;
        });
      },
    },
    {
      methods: ['GET'],
      path: HEAT_MAP_PATH,
      bodyLimit: 1024,
      responseTimeoutMs: ANSWER_MS,
      handler: (request) => ifVisible(request, (seen) => heatMap(services, request, seen)),
    },
  ];
}

interface Seen {
  image: VisibleImage;
  audience: Shown['audience'];
}

interface Wanted extends Seen {
  asked: RenditionRequest | null;
}

async function answer(
  ports: Ports,
  request: HttpRequest,
  { image, asked, audience }: Wanted,
): Promise<HttpResponse> {
  const { pictures, logger } = ports;
  const wish = wishOf(image, asked, request.headers.get('accept'));
  const plan = wish === null ? null : pictures.planFor(image, wish);
  const negotiated = asked?.format === 'auto';
  const shown: Shown = { image, plan, negotiated, audience };
  const held = request.headers.get('if-none-match');
  const isKnown = audience === 'everybody' && held !== undefined && matchesEntityTag(held, entityTag(shown));
  if (isKnown) return notModified(shown);
  try {
    if (wish === null) {
      const { headers, body } = await stored(ports, image, request.signal);
      return { status: 200, headers: [...headers, ...cachingHeaders(shown)], body };
    }
    const client = networkOf(request.remoteAddress);
    const made = await pictures.show(image, wish, { client, signal: request.signal });
    const headers = contentHeaders(made.plan.format);
    const caching = cachingHeaders({ ...shown, plan: made.plan });
    return { status: 200, headers: [...headers, ...caching], body: made.bytes };
  } catch (error) {
    const { imageId, objectKey } = image;
    throw readError(error, () => logger.error({ imageId, objectKey }, 'an image has lost its object'));
  }
}

/** The heat map of a staged picture (docs/contract.md#drift); a picture without one answers like an unknown id. */
async function heatMap(ports: Ports, request: HttpRequest, { image, audience }: Seen): Promise<HttpResponse> {
  const { imageId, heatMapKey: objectKey } = image;
  if (objectKey === null) throw new PublicError('NOT_FOUND');
  // The key is new for each heat map, so it stands for the bytes.
  const plan = { variant: objectKey, mark: null };
  const shown: Shown = { image, plan, negotiated: false, audience };
  const held = request.headers.get('if-none-match');
  if (audience === 'everybody' && held !== undefined && matchesEntityTag(held, entityTag(shown)))
    return notModified(shown);
  try {
    const { headers, body } = await stored(ports, { ...image, objectKey, format: 'png' }, request.signal);
    return { status: 200, headers: [...headers, ...cachingHeaders(shown)], body };
  } catch (error) {
    throw readError(error, () =>
      ports.logger.error({ imageId, objectKey }, 'a heat map has lost its object'),
    );
  }
}

type Content = Pick<HttpResponse, 'headers' | 'body'>;

/** The stored picture, unchanged, streamed no faster than the client reads it. */
async function stored({ storage }: Ports, image: VisibleImage, signal: AbortSignal): Promise<Content> {
  const opened = await storage.open(image.objectKey, { signal, timeoutMs: READING_MS });
  const format = image.format ?? opened.contentType.replace(/^image\//, '');
  const length = ['content-length', String(opened.size)] as const;
  return { headers: [...contentHeaders(format), length], body: objectBody(opened.stream) };
}
