import { openDatabase } from '../../persistence/database/database.ts';
import { createObjectStorage } from '../../src/storage/object-storage.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { loadSample } from './load.ts';

/** Loads the sample town into the local stack where its database is empty, and says so. */
export async function prepareSample(
  { databaseUrl, s3 }: Pick<Stack, 'databaseUrl' | 's3'>,
  say: (line: string) => void,
): Promise<void> {
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: 8,
    applicationName: 'proscenium-sample',
  });
  try {
    const startedAt = Date.now();
    const outcome = await loadSample({
      pool: database.pool,
      storage: createObjectStorage(s3),
      now: () => Date.now(),
    });
    if (outcome !== 'LOADED') return;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    say(
      `A sample town is loaded (${seconds} s): invented homes, drawn pictures. "npm start -- --empty" leaves it out.`,
    );
  } finally {
    await database.close();
  }
}
