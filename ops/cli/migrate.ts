import { loginOf } from '../../persistence/migrations/database-roles.ts';
import { migrate } from '../../persistence/migrations/migrator.ts';
import { directDatabaseUrl } from '../../src/config/addresses.ts';

/** `npm run migrate`, and the `release` role: brings the database up to date (docs/contract.md#migrations). */
const HELP = `Usage: DATABASE_URL=… [DATABASE_DIRECT_URL=…] [DATABASE_OWNER_URL=…] npm run migrate

Applies what the database lacks, in order, and names each; may be run again without effect. DATABASE_DIRECT_URL is used
where DATABASE_URL leads to a pooler. DATABASE_OWNER_URL is the address of the role that owns the tables; the login of
DATABASE_URL is then made, if it is missing, and admitted to the rows. Exit codes: 0 up to date, 1 not.
`;

const args = process.argv.slice(2);
if (args.length > 0) {
  process.stdout.write(HELP);
  process.exit(args.length === 1 && args[0] === '--help' ? 0 : 1);
}

const rolesUrl = directDatabaseUrl(process.env);
const ownerUrl = process.env.DATABASE_OWNER_URL || undefined;
if (!rolesUrl) fail('DATABASE_URL is not set');
for (const [name, url] of Object.entries({ DATABASE_URL: rolesUrl, DATABASE_OWNER_URL: ownerUrl }))
  if (url && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)))
    fail(`${name} is not a postgresql:// address`);
if (ownerUrl && loginOf(rolesUrl).name === '') fail('DATABASE_URL names no user');
if (ownerUrl && loginOf(ownerUrl).name === loginOf(rolesUrl).name)
  fail('DATABASE_OWNER_URL and DATABASE_URL name the same user: the roles need another one than the owner');

try {
  const applied = await migrate(ownerUrl ?? rolesUrl, {
    onApplied: (name) => console.log(name),
    ...(ownerUrl === undefined ? {} : { rolesUrl }),
  });
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
