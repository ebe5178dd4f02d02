import { migrate } from '../../persistence/migrations/migrator.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';

/** `npm run migrate`, and the `release` role: brings the database up to date (docs/contract.md#migrations). */

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
