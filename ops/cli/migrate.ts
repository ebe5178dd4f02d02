import { migrate } from '../../persistence/migrations/migrator.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';

/** `npm run migrate`, and the `release` role: brings the database up to date (docs/contract.md#migrations). */
const HELP = `Usage: DATABASE_URL=… [DATABASE_DIRECT_URL=…] npm run migrate

Applies what the database lacks, in order, and names each; may be run again without effect. DATABASE_DIRECT_URL is used
where DATABASE_URL leads to a pooler. Exit codes: 0 up to date, 1 not.
`;

const args = process.argv.slice(2);
if (args.length > 0) {
  process.stdout.write(HELP);
  process.exit(args.length === 1 && args[0] === '--help' ? 0 : 1);
}

const url = directDatabaseUrl(process.env);
if (!url) fail('DATABASE_URL is not set');
if (!/^postgres(ql)?:\/\//.test(url)) fail('DATABASE_URL is not a postgresql:// address');

try {
  const applied = await migrate(url, { onApplied: (name) => console.log(name) });
  if (applied.length === 0) console.log('Migrations up to date');
} catch (error) {
  fail(`Migrations failed: ${reason(error)}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** A refused connection is an AggregateError (one error per address) with an empty message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
