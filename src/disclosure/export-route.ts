import { createTranslator } from '../../i18n/translator.ts';
import { marketOf } from '../../machines/disclosure/profiles.ts';
import { readDisclosureListing } from '../../persistence/images/disclosure-pictures.ts';
import { readLog } from '../../persistence/images/provenance-log.ts';
import { linkAbort } from '../../supervisors/concurrency/linked-abort.ts';
import { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import { localeOf } from '../api/caller-locale.ts';
import type { Auth, SessionUser } from '../auth/auth.ts';
import { asSignedIn } from '../auth/route-session.ts';
import { PublicError } from '../errors/errors.ts';
import { found } from '../errors/found.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/message.ts';
import type { Marks } from '../images/marks/marks.ts';
import type { ImageServices } from '../images/services.ts';
import type { CallerLimits } from '../limits/caller-limits.ts';
import { limitTime } from '../time.ts';
import { market as marketSchema } from '../wire/disclosure.ts';
import { uuid } from '../wire/text.ts';
import { type ExportOrder, exportedPictures, exportFiles, TEXT_FILES } from './export-files.ts';
import { createExportPlaces } from './export-places.ts';
import { guardedBody } from './guarded-body.ts';
import { requireWholeExport } from './whole-export.ts';
import { zipOf } from './zip-writer.ts';

/** `GET /api/disclosure/{propertyId}.zip` (docs/contract.md#market-profiles). */
const PATH = '/api/disclosure/:file';
const FILE = /^(?<propertyId>.{36})\.zip$/s;
/** Time without progress: to wait behind other pictures for a decoder, and then to decode. */
const ANSWER_MS = 120_000;
/** Of a whole export, however slow its client is. */
const EXPORT_MS = 30 * 60_000;

export type ExportServices = Pick<
  ImageServices,
  'pool' | 'storage' | 'clock' | 'logger' | 'decoders' | 'settings'
> & { exportLimits: CallerLimits; marks: Pick<Marks, 'marked'> };

export function disclosureRoutes(services: ExportServices, auth: Pick<Auth, 'resolveSession'>): Route[] {
  const places = createExportPlaces(services.clock);
  const ports = { ...services, turns: new Semaphore(1) };

  const answer = async (agent: SessionUser, request: HttpRequest): Promise<HttpResponse> => {
    const propertyId = found(uuid.safeParse(FILE.exec(request.params.file ?? '')?.groups?.propertyId).data);
    const subject = { propertyId };
    const listing = found(await readDisclosureListing(services.pool, { subject, agentId: agent.id }));
    const market = chosenMarket(request.query) ?? marketOf(listing);
    const cut = new AbortController();
    const place = places.take(agent.id, () =>
      cut.abort(
        new PublicError('SERVICE_UNAVAILABLE', { message: 'The place of this slow export was needed.' }),
      ),
    );
    const asked = linkAbort(request.signal, cut.signal);
    const time = limitTime(EXPORT_MS, asked.signal);
    const release = () => {
      place.giveBack();
      time.release();
      asked.release();
    };
    try {
      await services.exportLimits.admit({ userId: agent.id, ip: request.remoteAddress });
      const words = createTranslator(localeOf(services.settings.site, { user: agent, request }), 'agent');
      const [logEntry = null] = await readLog(services.pool, { before: null, limit: 1 });
      const order: ExportOrder = { listing, market, words, logEntry, signal: time.signal };
      const pictures = exportedPictures(order);
      await requireWholeExport(services, pictures, time.signal);
      const body = place.watched(zipOf(exportFiles(ports, order), services.clock.now()));
      const headers = headersOf({ propertyId, market, files: pictures.length + TEXT_FILES });
      return { status: 200, headers, body: guardedBody(body, release), until: time.signal };
    } catch (error) {
      release();
      throw error;
    }
  };

  return [
    {
      methods: ['GET'],
      path: PATH,
      bodyLimit: 1024,
      responseTimeoutMs: ANSWER_MS,
      varies: ['Accept-Language'],
      handler: (request) =>
        asSignedIn(auth, request, async (user) => {
          if (user.role !== 'agent') throw new PublicError('NOT_FOUND');
          return answer(user, request);
        }),
    },
  ];
}

/** @throws PublicError INVALID_INPUT for anything but one known market */
function chosenMarket(query: URLSearchParams) {
  const [given, ...more] = query.getAll('market');
  const unknown = [...new Set(query.keys())].filter((name) => name !== 'market');
  const read = marketSchema.optional().safeParse(given);
  if (read.success && more.length === 0 && unknown.length === 0) return read.data;
  throw new PublicError('INVALID_INPUT', {
    fields: { market: [`Give at most one market of ${marketSchema.options.join(', ')}, and nothing else.`] },
  });
}

const headersOf = ({
  propertyId,
  market,
  files,
}: {
  propertyId: string;
  market: string;
  files: number;
}): HttpResponse['headers'] => [
  ['content-type', 'application/zip'],
  ['content-disposition', `attachment; filename="${propertyId}-${market}.zip"`],
  // How far a download has come is known by the files that have arrived: the bytes are not known before.
  ['x-export-files', String(files)],
  ['cache-control', 'private, no-store'],
];
