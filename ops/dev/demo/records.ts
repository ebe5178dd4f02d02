import { Redis } from 'ioredis';
import { openDatabase } from '../../../persistence/database/database.ts';
import { documentKey } from '../../../src/search/document.ts';
import type { Stack } from '../stack/stack.ts';

/** Data that the API host does not provide, read-only. */
export interface Records {
  /** The ids of the purchases that the platform decided to make for a property. */
  attempts(propertyId: string): Promise<string[]>;
  searchDocument(propertyId: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export async function openRecords(stack: Stack): Promise<Records> {
  const database = await openDatabase({
    url: stack.databaseUrl,
    poolSize: 1,
    applicationName: 'proscenium-demo',
  });
  const redis = new Redis(stack.kvUrl, { maxRetriesPerRequest: 3 });
  // The failed command reports the same error.
  redis.on('error', () => undefined);
  return {
    async attempts(propertyId) {
      const { rows } = await database.pool.query<{ id: string }>(
        `SELECT a.id FROM ai_provider_attempts a JOIN ai_jobs j ON j.id = a."aiJobId" WHERE j."propertyId" = $1`,
        [propertyId],
      );
      return rows.map(({ id }) => id);
    },
    searchDocument: (propertyId) => redis.hgetall(documentKey(propertyId)),
    async close() {
      redis.disconnect();
      await database.close();
    },
  };
}
