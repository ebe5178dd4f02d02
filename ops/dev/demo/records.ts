import { Redis } from 'ioredis';
import { openDatabase } from '../../../persistence/database/database.ts';
import { documentKey } from '../../../src/search/document.ts';
import type { Stack } from '../stack/stack.ts';

/** A purchase that the platform decided to make. */
export interface AttemptRecord {
  attemptId: string;
  aiJobId: string;
  attemptNumber: number;
  status: string;
  predictionId: string | null;
}

/** One step of an actor, from the journal. */
export interface TransitionRecord {
  /** Milliseconds since the epoch. */
  at: number;
  actorKind: string;
  eventType: string;
  fromState: string | null;
  toState: string;
  actedBy: string;
}

/** Data that the API host does not provide: the platform's own ledger, read-only. */
export interface Records {
  /** The attempts of all jobs of a property, oldest first. */
  attempts(propertyId: string): Promise<AttemptRecord[]>;
  /** The journal of a job, its attempts and the review of its picture, in the order of writing. */
  journal(aiJobId: string): Promise<TransitionRecord[]>;
  searchDocument(propertyId: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const ATTEMPTS = `
  SELECT a.id AS "attemptId", a."aiJobId", a."attemptNumber", a.status, a."providerPredictionId" AS "predictionId"
  FROM ai_provider_attempts a JOIN ai_jobs j ON j.id = a."aiJobId"
  WHERE j."propertyId" = $1 ORDER BY a."createdAt", a.id`;

const JOURNAL = `
  SELECT t.at, t."actorKind", t."eventType", t."fromState", t."toState", t."actedBy" FROM actor_transitions t
  WHERE t."actorId" = $1
     OR t."actorId" IN (SELECT a.id FROM ai_provider_attempts a WHERE a."aiJobId" = $1)
     OR t."actorId" = (SELECT s."resultImageId" FROM ai_room_staging_jobs s WHERE s."aiJobId" = $1)
  ORDER BY t.id`;

export async function openRecords(stack: Stack): Promise<Records> {
  const database = await openDatabase({
    url: stack.databaseUrl,
    poolSize: 2,
    applicationName: 'proscenium-demo',
  });
  const redis = new Redis(stack.kvUrl, { maxRetriesPerRequest: 3 });
  // The failed command reports the same error.
  redis.on('error', () => undefined);
  const { pool } = database;
  return {
    attempts: async (propertyId) => (await pool.query<AttemptRecord>(ATTEMPTS, [propertyId])).rows,
    async journal(aiJobId) {
      const { rows } = await pool.query<Omit<TransitionRecord, 'at'> & { at: Date }>(JOURNAL, [aiJobId]);
      return rows.map((row) => ({ ...row, at: row.at.getTime() }));
    },
    searchDocument: (propertyId) => redis.hgetall(documentKey(propertyId)),
    async close() {
      redis.disconnect();
      await database.close();
    },
  };
}
