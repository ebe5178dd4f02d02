import { parseArgs } from 'node:util';
import { openDatabase } from '../persistence/database.ts';
import { type FailedDeletion, failedDeletions } from '../persistence/deletion-queries.ts';
import { createPostgresActorStore } from '../persistence/postgres-actor-store.ts';
import { systemChance, systemTimers } from '../src/time.ts';
import { createMailroom, type Mailroom } from '../supervisors/deliver.ts';

/**
 * Deletions that need a person: shows them and asks for another try (decisions.md section 3, Outbox). Whether
 * one may be tried again is the machine's decision; each answer is printed.
 */
const HELP = `Usage: DATABASE_URL=… node ops/outbox.ts list
       DATABASE_URL=… node ops/outbox.ts retry [--force] [id …]

list    shows the deletions that have failed for good, with their errors
retry   offers them, or the ones named, to the next drain again; only errors that time can heal,
        such as an object store that was away, unless --force says that the cause is mended
`;
const MAX_ITEMS = 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const [command, ...ids] = positionals;
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return say(HELP, 0);
  const databaseUrl = process.env.DATABASE_URL;
  if (command !== 'list' && command !== 'retry') return say(HELP, 1);
  if (!databaseUrl) return say('DATABASE_URL is not set. Give the address of the database.\n', 1);
  const database = await openDatabase({ url: databaseUrl, applicationName: 'proscenium-outbox' }).catch(
    () => null,
  );
  if (database === null)
    return say('The database at DATABASE_URL cannot be reached. Check it and try again.\n', 1);
  try {
    const failed = await failedDeletions(database.pool, MAX_ITEMS);
    if (command === 'list') return say(list(failed), 0);
    const wanted = ids.length > 0 ? ids : failed.map(({ id }) => id);
    return await retry(silentMailroom(createPostgresActorStore(database.pool)), wanted, failed);
  } finally {
    await database.close();
  }
}

function list(failed: FailedDeletion[]): string {
  if (failed.length === 0) return 'No deletion has failed.\n';
  const lines = failed.map(({ id, objectKey, errorClass, lastError }) =>
    [id, errorClass ?? 'unknown', objectKey, lastError ?? ''].join('  '),
  );
  return `${lines.join('\n')}\n`;
}

async function retry(mailroom: Mailroom, wanted: string[], failed: FailedDeletion[]): Promise<number> {
  const known = new Set(failed.map(({ id }) => id));
  let refused = 0;
  for (const id of wanted) {
    const event = { type: 'RETRY_ASKED', at: Date.now(), force: values.force } as const;
    const told = known.has(id)
      ? await mailroom.deliver({ to: 'deletionItem', id, event }, { by: 'operator' })
      : { outcome: 'missing' };
    if (told.outcome === 'applied') say(`${id}  will be tried by the next drain\n`, 0);
    else {
      refused += 1;
      const why = known.has(id) ? 'needs its cause mended first, then --force' : 'is not a failed deletion';
      say(`${id}  ${why}\n`, 0);
    }
  }
  return say(`${wanted.length - refused} of ${wanted.length} offered again.\n`, refused === 0 ? 0 : 1);
}

/** Deletion items have no queue and nobody to nudge: the next drain finds them. */
function silentMailroom(store: ReturnType<typeof createPostgresActorStore>): Mailroom {
  const nothing = async () => {};
  return createMailroom({
    store,
    queue: { enqueue: nothing, remove: nothing, missing: async () => [], pauseStarts: nothing },
    nudges: { publish() {} },
    reporter: { report() {}, alert() {}, transition() {}, count() {}, problem() {} },
    timers: systemTimers,
    chance: systemChance,
  });
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
