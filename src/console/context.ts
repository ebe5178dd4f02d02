import type { HttpBindings } from '@hono/node-server';
import type { Redis } from 'ioredis';
import type { ActorStore, LeaseStore } from '../../persistence/actors/actor-store.ts';
import type { Database } from '../../persistence/database/database.ts';
import type { DatabaseClock } from '../../persistence/database/database-clock.ts';
import type { StandbyConfirmation } from '../../persistence/standbys/confirmation.ts';
import type { ActorSystem } from '../../supervisors/actors/deliver.ts';
import type { Chance, Clock, JobQueues, Nudges, Reporter } from '../../supervisors/ports.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { ObservedQueues } from '../queues/observed-queues.ts';
import type { SearchQueue } from '../queues/search-queue.ts';
import type { DocumentStore } from '../search/document-store.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * The parts of the worker that the operators' pages may use. They read rows and deliver events. The provider and
 * the activities of states are not included, so a page cannot buy anything.
 */
export interface ConsoleContext {
  config: WorkerConfig;
  node: string;
  logger: Logger;
  crashReports: Pick<CrashReports, 'capture'>;
  metrics: Metrics;
  reporter: Reporter;
  clock: Clock;
  chance: Chance;
  confirmation: Pick<StandbyConfirmation, 'confirm'> | null;
  timings: { dispatchMs: number };
  database: Pick<Database, 'pool'>;
  redis: Redis;
  storage: Pick<ObjectStorage, 'put' | 'get' | 'delete'>;
  databaseClock: Pick<DatabaseClock, 'skewMs' | 'isSkewed'>;
  store: ActorStore;
  actorSystem: ActorSystem;
  queues: JobQueues;
  descriptionLeases: LeaseStore;
  searchQueue: SearchQueue;
  observedQueues: ObservedQueues;
  documents: DocumentStore;
  nudges: Nudges;
}

/** The operator who signed in, passed from the sign-in to the pages. */
export type ConsoleEnv = { Bindings: HttpBindings & { operator: string } };
