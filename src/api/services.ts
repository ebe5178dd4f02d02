import type { Reader } from '../../persistence/database/reader.ts';
import type { SearchIndex } from '../../persistence/search/postgres-search-index.ts';
import type { JobQueue } from '../../supervisors/ports.ts';
import type { AccountCodes } from '../auth/account-codes.ts';
import type { Commute } from '../commute/commute.ts';
import type { WebConfig } from '../config/config.ts';
import type { ViewCounter } from '../figures/view-counter.ts';
import type { Geocoder } from '../geocoder/geocoder.ts';
import type { Marks } from '../images/marks/marks.ts';
import type { ShownPictures } from '../images/renditions/shown-pictures.ts';
import type { ImageServices } from '../images/services.ts';
import type { CallerLimits } from '../limits/caller-limits.ts';
import type { NamedQueue } from '../limits/named-queue.ts';
import type { RejectionLog } from '../limits/rejection-log.ts';
import type { WorkBudget } from '../limits/work-budget.ts';
import type { AlertTokens } from '../mail/alerts/alert-tokens.ts';
import type { CardReader } from '../search/cards.ts';
import type { Neighborhoods } from '../search/neighborhoods.ts';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import type { RequestContext } from './base.ts';

/** Who asks for what the public may see. */
export type PublicCaller = Pick<RequestContext, 'request'> & {
  readonly user: { readonly id: string } | null;
};

/** What the public may see, read from one server for one caller. */
export interface PublicReads {
  reader: Reader;
  searchIndex: SearchIndex;
  cards: CardReader;
  neighborhoods: Neighborhoods;
}

/** Runs what anyone may ask in its turn: `load` asks, `write` makes the answer without waiting. */
export type PublicQuery = <D, A>(
  caller: PublicCaller,
  load: () => Promise<D>,
  write: (data: D) => A,
) => Promise<A>;

/** The dependencies of procedures and plain routes, created once per process. */
export interface Services extends ImageServices {
  tracer: Tracing;
  /** The bytes of pictures, with the marks of staged ones. */
  pictures: ShownPictures;
  /** For copies that only an export has. */
  marks: Pick<Marks, 'marked'>;
  queue: Pick<JobQueue, 'enqueue'>;
  /** Takes the ids of description jobs. */
  descriptions: Pick<JobQueue, 'enqueue'>;
  /**
   * For what any caller may see: perhaps from a standby, where everything of a second ago and all that the caller wrote
   * can be seen. Never for what is private, or what a write is decided by.
   */
  publicReads(caller: PublicCaller): Promise<PublicReads>;
  /** For what anyone may see only until its owner ends it: a standby may be a second behind. */
  primaryReads(caller: PublicCaller): PublicReads;
  /** Takes a turn of the public's work; for procedures that wait for others (`waitsForOthers`). */
  publicQuery: PublicQuery;
  commute: Commute;
  /** Counts a question to the router; the seconds until another one may come, 0 for now. */
  commuteLimits(client: string): Promise<number>;
  geocoder: Geocoder;
  /** Counts a question of one kind about addresses, as `commuteLimits` does. */
  addressLimits(kind: 'suggest' | 'locate' | 'same', client: string): Promise<number>;
  /** What each client may use of the work for the public. */
  publicBudget: WorkBudget;
  /** Logs whose work is refused for want of room. */
  workRejections: RejectionLog;
  /** Cards as the primary has them. */
  cards: CardReader;
  views: ViewCounter;
  lookupLimits: CallerLimits;
  /** Of `GET /api/disclosure/{propertyId}.zip`. */
  exportLimits: CallerLimits;
  /** Queued by agent: an agent who submits many jobs at once holds one database connection, not all of them. */
  submissionQueue: NamedQueue;
  accountCodes: AccountCodes;
  /** Signed names in the links of alerts. */
  alertTokens: AlertTokens;
  /** Makes and seals the secrets of webhooks. */
  webhookSecrets: WebhookSecrets;
  settings: Pick<
    WebConfig,
    | 'publicBaseUrl'
    | 'site'
    | 'stagingEnabled'
    | 'retiredCertificates'
    | 'legacyAliasSunsetAt'
    | 'providerInputs'
    | 'textModel'
    | 'stagingLimits'
    | 'growthLimits'
    | 'agentApproval'
    | 'signUp'
    | 'costMicrousd'
    | 'signing'
    | 'push'
  >;
}
