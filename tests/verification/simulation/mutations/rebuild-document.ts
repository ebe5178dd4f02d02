import { Redis } from 'ioredis';
import { openDatabase } from '../../../../persistence/database/database.ts';
import { createDocumentStore } from '../../../../src/search/document-store.ts';
import { indexProperty } from '../../../../src/search/indexer.ts';
import { systemClock } from '../../../../src/time.ts';
import { createRecordingReporter } from '../../../support/worlds/recording-ports.ts';

/**
 * Rebuilds the search document of one listing as the worker does, in a process that a mutation can be loaded into.
 * Usage: `rebuild-document.ts <propertyId>` with DATABASE_URL, KV_URL and PUBLIC_BASE_URL.
 */
const { DATABASE_URL = '', KV_URL = '', PUBLIC_BASE_URL = '' } = process.env;
const database = await openDatabase({ url: DATABASE_URL });
const redis = new Redis(KV_URL);
try {
  const ports = {
    pool: database.pool,
    documents: createDocumentStore(redis),
    clock: systemClock,
    reporter: createRecordingReporter(),
    checkpoint: () => {},
    publicBaseUrl: PUBLIC_BASE_URL,
  };
  await indexProperty(ports, process.argv[2] ?? '');
} finally {
  redis.disconnect();
  await database.close();
}
