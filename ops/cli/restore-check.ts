import { parseArgs } from 'node:util';
import { openDatabase } from '../../persistence/database/database.ts';
import { type CheckedPurchase, checkPurchases } from '../../persistence/jobs/purchase-standings.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { createProviderHttp } from '../../src/provider/http.ts';
import { report } from '../operate/restore-report.ts';
import { purchasesSince } from '../operate/restored-purchases.ts';

/**
 * `npm run restore:check`: compares the provider's purchases since the backup with the rows of a restored database,
 * before that database may send anything again (docs/runbooks/database-restore.md). Read-only.
 */
const HELP = `Usage: DATABASE_URL=… PROVIDER_API_TOKEN=… [PROVIDER_BASE_URL=…] npm run restore:check -- --since INSTANT

Lists what was bought from the provider since the backup was taken, and says of each purchase what the restored
database knows of it. A purchase that an open job would make again is named with that job, to be cancelled before
purchases are switched on. Writes nothing, here or there.

  --since INSTANT   when the backup was taken, such as 2026-11-20T03:00:00Z; earlier is safe, later is not
  --json            the same as JSON
  --help            this text

Exit code: 0 when nothing would be bought again, 1 when something would, 2 when it could not be found out.
`;
const OK = 0;
const WOULD_REPEAT = 1;
const UNKNOWN = 2;
const DEFAULT_PROVIDER = 'https://api.replicate.com';
/** Rows per query. */
const PAGE = 500;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readArguments();
  if (typeof options === 'string') return say(`${options}\n\n${HELP}`, UNKNOWN);
  if (options.help) return say(HELP, OK);
  const database = await openDatabase({
    url: options.databaseUrl,
    poolSize: 2,
    applicationName: 'proscenium-restore-check',
  }).catch(() => null);
  if (database === null)
    return say('The database at DATABASE_URL cannot be reached. Check it and try again.\n', UNKNOWN);
  const http = createProviderHttp({ baseUrl: options.providerUrl, apiToken: options.apiToken });
  try {
    const purchases = await purchasesSince(http, options.since, (seen) =>
      process.stderr.write(`  … ${seen} purchases read\n`),
    );
    if (typeof purchases === 'string') return say(`${purchases}\n`, UNKNOWN);
    const checked: CheckedPurchase[] = [];
    for (let at = 0; at < purchases.length; at += PAGE)
      checked.push(...(await checkPurchases(database.pool, purchases.slice(at, at + PAGE))));
    say(options.json ? `${JSON.stringify(checked, null, 2)}\n` : report(checked), OK);
    return checked.some(({ standing }) => standing === 'would-repeat') ? WOULD_REPEAT : OK;
  } finally {
    await http.close();
    await database.close();
  }
}

interface CliOptions {
  help: boolean;
  json: boolean;
  since: number;
  databaseUrl: string;
  providerUrl: string;
  apiToken: string;
}

/** The options, or all errors in them. */
function readArguments(): CliOptions | string {
  let values: { since?: string; json?: boolean; help?: boolean };
  try {
    ({ values } = parseArgs({
      options: { since: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { PROVIDER_API_TOKEN: apiToken = '' } = process.env;
  const databaseUrl = directDatabaseUrl(process.env) ?? '';
  const since = Date.parse(values.since ?? '');
  const isInstant =
    /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(values.since ?? '') && !Number.isNaN(since);
  const problems = [
    ...(isInstant ? [] : ['--since must be an instant with a zone, such as 2026-11-20T03:00:00Z.']),
    ...(databaseUrl === '' ? ['DATABASE_URL is not set. Give the address of the restored database.'] : []),
    ...(apiToken === '' ? ["PROVIDER_API_TOKEN is not set. Give the worker's token."] : []),
  ];
  if (problems.length > 0 && !values.help) return problems.join('\n');
  const providerUrl = process.env.PROVIDER_BASE_URL || DEFAULT_PROVIDER;
  return {
    help: values.help ?? false,
    json: values.json ?? false,
    since,
    databaseUrl,
    providerUrl,
    apiToken,
  };
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}
