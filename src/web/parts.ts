import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { openLimitedReads } from '../../persistence/database/limited-reads.ts';
import type { Reader } from '../../persistence/database/reader.ts';
import { createPostgresSearchIndex } from '../../persistence/search/postgres-search-index.ts';
import { createActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Chance, Clock, JobQueue } from '../../supervisors/ports.ts';
import type { PublicReads, Services } from '../api/services.ts';
import { createAccountCodes } from '../auth/account-codes.ts';
import { type AuthOptions, createAuth } from '../auth/auth.ts';
import { createSessionCookies } from '../auth/session-cookie.ts';
import { createCommute } from '../commute/commute.ts';
import type { WebConfig } from '../config/config.ts';
import { isLoopbackHost } from '../config/host-rules.ts';
import { EXPORT_RULES } from '../disclosure/export-limits.ts';
import { createViewCounter } from '../figures/view-counter.ts';
import { createGeocoder } from '../geocoder/geocoder.ts';
import { createMarks } from '../images/marks/marks.ts';
import { startSigner } from '../images/marks/signer.ts';
import { createOriginalThumbnails } from '../images/renditions/original-thumbnails.ts';
import { createProviderPictures } from '../images/renditions/provider-pictures.ts';
import { RENDITION_LANES } from '../images/renditions/renditions.ts';
import { createShownPictures } from '../images/renditions/shown-pictures.ts';
import { createUploadTurns, HEIC_DECODERS, UPLOAD_DECODERS } from '../images/uploads/upload-turns.ts';
import { createCallerLimits } from '../limits/caller-limits.ts';
import { createNamedQueue } from '../limits/named-queue.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { createRejectionLog } from '../limits/rejection-log.ts';
import { createWorkBudget } from '../limits/work-budget.ts';
import { createAlertTokens } from '../mail/alerts/alert-tokens.ts';
import { createMailer } from '../mail/mailer.ts';
import { createPushClient } from '../push/push-client.ts';
import { createDescriptionQueue, createStagingQueue } from '../queues/job-queue.ts';
import { createNudges } from '../queues/nudges.ts';
import { createSearchQueue, type SearchHints } from '../queues/search-queue.ts';
import { createRepeats } from '../repeats/repeats.ts';
import { openRoleParts, type RoleContext, type RoleParts } from '../role/parts.ts';
import { createCardReaders } from '../search/cards.ts';
import { createDocumentReader } from '../search/document-store.ts';
import { createNeighborhoods } from '../search/neighborhoods.ts';
import { createWideAnswers } from '../search/wide-answers.ts';
import { tracedActorSystem } from '../telemetry/tracing/traced-parts.ts';
import { systemChance, systemClock, systemTimers } from '../time.ts';
import { createWebhookClient } from '../webhooks/webhook-client.ts';
import { createWebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { openPublicReading } from './public-reads.ts';
import { createPublicWork, PUBLIC_CONNECTIONS, PUBLIC_STATEMENT_MS } from './public-work.ts';
import { createRequestLimits } from './request-limits.ts';

/** All parts of the API host, opened once per process and closed after the server. */
export type WebParts = Awaited<ReturnType<typeof openWebParts>>;

/** Replacements for tests; configuration cannot reach them. */
export interface WebOverrides {
  clock?: Clock;
  chance?: Chance;
  queue?: JobQueue;
  descriptions?: JobQueue;
  search?: SearchHints;
  identityKeys?: AuthOptions['identityKeys'];
  /** Default: `MAIL_INTERVAL_MS`. */
  mailIntervalMs?: number;
}

/** Sign-in needs the store for its limits; all other parts work without it. */
const REDIS_PATIENCE_MS = 1_000;

/** How often mails about tours are looked for. */
const MAIL_INTERVAL_MS = 5_000;

/** Limit of questions about travel times, and of those of each kind about addresses. */
const QUESTIONS = { windowSeconds: 60, max: 60 };
/** Limit of searches for people by address. */
const LOOKUPS = { windowSeconds: 60, max: 10 };

export async function openWebParts(config: WebConfig, context: RoleContext & { overrides?: WebOverrides }) {
  const { overrides = {} } = context;
  const signing = {
    clock: overrides.clock ?? systemClock,
    onUnstamped: (reason: string) =>
      context.logger.warn({ event: 'signature.unstamped', reason }, 'a signature has no time stamp'),
  };
  const signer = config.signing === null ? null : await startSigner(config.signing, signing);
  const role = await openRoleParts(config, context, { redisPatienceMs: REDIS_PATIENCE_MS });
  const clock = overrides.clock ?? role.databaseClock;
  const { logger, tracer, reporter, redis, storage, metrics } = role;
  const { pool } = role.database;
  const hints = openHints(config, role);
  const decoders = {
    uploads: role.openDecoder('uploads', UPLOAD_DECODERS),
    heic: role.openDecoder('heic', HEIC_DECODERS),
    renditions: role.openDecoder('renditions', RENDITION_LANES),
  };
  const mailer = createMailer({
    ...config,
    from: config.mailFrom,
    logger,
    count: (outcome) => metrics.mails.inc({ outcome }),
  });
  const addressRule = { allowsLoopback: isLoopbackHost(new URL(config.publicBaseUrl).hostname) };
  const pushClient = config.push === null ? null : createPushClient({ vapid: config.push, ...addressRule });
  const webhookClient = createWebhookClient(addressRule);
  const store = createPostgresActorStore(pool);
  const time = {
    clock,
    chance: overrides.chance ?? systemChance,
    timers: systemTimers,
  };
  const queue = overrides.queue ?? hints.queue;
  const descriptions = overrides.descriptions ?? hints.descriptions;
  const queues = { stagingJob: queue, descriptionJob: descriptions };
  const actorSystem = tracedActorSystem(
    createActorSystem({ store, queues, nudges: hints.nudges, reporter, ...time }),
    tracer,
  );
  const limits = { redis, deployment: config.queueSuffix, logger };
  const auth = createAuth({
    ...limits,
    config,
    pool,
    sendOtpMail: (mail) => mailer.sendOtp(mail),
    logger,
    clock: time.clock,
    identityKeys: overrides.identityKeys,
  });
  const accountCodes = createAccountCodes({
    ...limits,
    pool,
    authSecret: config.authSecret,
    sendMail: (mail) => mailer.sendOtp(mail),
    clock: time.clock,
  });
  const sessionCookies = createSessionCookies(config);
  const requestLimits = createRequestLimits({
    ...limits,
    logger,
    sessionCookies,
    ...config.requestLimits,
  });
  const documents = createDocumentReader(redis, time.timers);
  const cardReaders = () => createCardReaders({ documents, ...time, publicBaseUrl: config.publicBaseUrl });
  const openReads = () => {
    const wideAnswers = createWideAnswers(time.clock);
    const cards = cardReaders();
    const neighborhoods = createNeighborhoods(time.clock);
    return (reader: Reader): PublicReads => ({
      reader,
      searchIndex: wideAnswers(createPostgresSearchIndex(reader)),
      cards: cards(reader),
      neighborhoods: neighborhoods(reader),
    });
  };
  const publicPrimary = openLimitedReads({
    url: config.databaseUrl,
    poolSize: PUBLIC_CONNECTIONS,
    applicationName: `proscenium-web-public-${role.node}`,
    pooler: config.databasePooler,
    statementMs: PUBLIC_STATEMENT_MS,
  });
  const publicBudget = createWorkBudget({ perMinuteMs: config.publicWorkMs, ...time });
  const workRejections = createRejectionLog(
    logger,
    () => performance.now(),
    'work is refused: a client has used its share, or too much waits',
  );
  const publicWork = createPublicWork({ budget: publicBudget, rejections: workRejections });
  const publicReading = openPublicReading({
    primaryUrl: config.databaseDirectUrl ?? config.databaseUrl,
    standbyUrls: config.searchDatabaseUrls,
    pool,
    primary: publicPrimary.reader,
    work: publicWork,
    applicationName: `proscenium-web-${role.node}`,
    openReads,
    timers: time.timers,
    reporter,
    logger,
    metrics,
  });
  if (config.signing !== null) {
    const { fingerprint, validUntil } = config.signing;
    metrics.signingCertificateExpires.set({ fingerprint: fingerprint.slice(0, 8) }, validUntil / 1_000);
  }
  const marks = createMarks({
    pool,
    clock,
    publicBaseUrl: config.publicBaseUrl,
    signer,
    count: (outcome) => metrics.pictureSignatures.inc({ outcome }),
    thumbnailOf: createOriginalThumbnails(decoders.renditions, storage),
    providedBy: createProviderPictures(storage),
  });
  const views = createViewCounter({
    redis,
    deployment: config.queueSuffix,
    pool,
    ...time,
  });
  const commuteLimiter = createRateLimiter(redis, `commute-limit${config.queueSuffix}`);
  const addressLimiter = createRateLimiter(redis, `address-limit${config.queueSuffix}`);
  const feedLimiter = createRateLimiter(redis, `feed-limit${config.queueSuffix}`);
  const services: Services = {
    pool,
    actorSystem,
    tracer,
    storage,
    decoders,
    uploadTurns: createUploadTurns({
      rejections: workRejections,
      decoders,
      isHeicTaken: config.heicEnabled,
    }),
    marks,
    pictures: createShownPictures({ pool, storage, decoder: decoders.renditions, marks, ...time, logger }),
    queue,
    descriptions,
    search: overrides.search ?? hints.search,
    publicReads: publicReading.of,
    primaryReads: publicReading.ofPrimary,
    publicQuery: publicWork.call,
    commute: createCommute({
      router: config.router,
      clock,
      problems: createRejectionLog(logger, () => performance.now(), 'the router gives no travel times'),
    }),
    commuteLimits: (client) => commuteLimiter.hit(client, QUESTIONS),
    geocoder: createGeocoder({
      geocoder: config.geocoder,
      clock,
      problems: createRejectionLog(logger, () => performance.now(), 'the geocoder gives no addresses'),
    }),
    addressLimits: (kind, client) => addressLimiter.hit(`${kind} ${client}`, QUESTIONS),
    publicBudget,
    workRejections,
    cards: cardReaders()(pool),
    views,
    lookupLimits: createCallerLimits({
      ...limits,
      name: 'lookup',
      perNetwork: LOOKUPS,
      perPerson: LOOKUPS,
    }),
    exportLimits: createCallerLimits({ ...limits, name: 'export', ...EXPORT_RULES }),
    submissionQueue: createNamedQueue(),
    accountCodes,
    alertTokens: createAlertTokens(config.authSecret),
    webhookSecrets: createWebhookSecrets(config.authSecret),
    repeats: createRepeats({ pool, ...time, logger }),
    ...time,
    logger,
    settings: config,
  };
  return {
    services,
    ...role,
    auth,
    clock: time.clock,
    requestLimits,
    publicReading,
    publicWork,
    feedLimiter,
    sessionCookies,
    mailer,
    pushClient,
    webhookClient,
    mailIntervalMs: overrides.mailIntervalMs ?? MAIL_INTERVAL_MS,
    close: () =>
      role.close([
        ...hints.queues,
        ...Object.values(decoders),
        mailer,
        webhookClient,
        ...(pushClient === null ? [] : [pushClient]),
        publicReading,
        publicPrimary,
        // Copies that were answered are still being stored: they need the database and the object store.
        { close: () => services.pictures.settled() },
        { close: () => views.write() },
        ...(signer ? [signer] : []),
      ]),
  };
}

/** The producing ends of the queues. They never fail a request: sweepers find lost entries. */
function openHints(config: WebConfig, { database: { pool }, redis, metrics, logger }: RoleParts) {
  const problemOf = (queue: string) => (error: unknown) =>
    logger.warn({ err: error, queue }, 'a queue does not take hints; sweepers will find the work');
  const common = { redis, suffix: config.queueSuffix };
  const queue = createStagingQueue({ ...common, pool, onProblem: problemOf('staging') });
  const descriptions = createDescriptionQueue({ ...common, onProblem: problemOf('descriptions') });
  const searchProblem = problemOf('search');
  const searchQueue = createSearchQueue({ ...common, onProblem: searchProblem });
  const count = (name: string) => (outcome: string) => metrics.queueNudges.inc({ queue: name, outcome });
  const nudges = createNudges({ ...common, count: count('nudges') });
  const counted = count('search');
  const search: SearchHints = {
    propertyChanged(propertyId) {
      searchQueue.enqueue([propertyId]).then(
        () => counted('sent'),
        (error: unknown) => {
          counted('lost');
          searchProblem(error);
        },
      );
    },
  };
  return { queue, descriptions, search, nudges, queues: [queue, descriptions, searchQueue] };
}
