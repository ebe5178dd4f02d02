import type { Pool } from 'pg';
import type { SearchIndex } from '../../persistence/search/search-index.ts';
import type { Mailroom } from '../../supervisors/actors/deliver.ts';
import type { Chance, Clock, StagingQueue, Timers } from '../../supervisors/ports.ts';
import type { AccountCodes } from '../auth/account-codes.ts';
import type { WebConfig } from '../config/config.ts';
import type { Decoder } from '../images/decoding/decoder.ts';
import type { CallerLimits } from '../limits/caller-limits.ts';
import type { Turns } from '../limits/turns.ts';
import type { Repeats } from '../repeats/repeats.ts';
import type { CardReader } from '../search/cards.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tracing } from '../telemetry/tracing/tracing.ts';

/** What procedures and plain routes work with; made once per process and handed in. */
export interface Services {
  pool: Pool;
  mailroom: Mailroom;
  tracer: Tracing;
  storage: ObjectStorage;
  /** Pictures that people send, and copies of stored pictures for visitors: neither waits for the other. */
  decoders: { uploads: Decoder; renditions: Decoder };
  queue: Pick<StagingQueue, 'enqueue'>;
  /** Takes the ids of description jobs. */
  descriptions: Pick<StagingQueue, 'enqueue'>;
  search: SearchHints;
  searchIndex: SearchIndex;
  cards: CardReader;
  lookupLimits: CallerLimits;
  /** By agent: one who submits a lot at once holds one connection to the database, not all. */
  submissionTurns: Turns;
  accountCodes: AccountCodes;
  repeats: Repeats;
  clock: Clock;
  timers: Timers;
  chance: Chance;
  logger: Logger;
  settings: Pick<
    WebConfig,
    | 'publicBaseUrl'
    | 'stagingEnabled'
    | 'legacyAliasSunsetAt'
    | 'providerInputs'
    | 'textModel'
    | 'stagingLimits'
    | 'agentApproval'
  >;
}

/** Says after a commit that a listing changed. A hint: it never fails, and losing it costs a sweep's interval. */
export interface SearchHints {
  propertyChanged(propertyId: string): void;
}
