import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { BOOKKEEPING_TABLE } from './pending.ts';

/**
 * The roles of the database (docs/contract.md#database-roles): one owns the tables and migrates; web and worker log in as
 * another, which reads and writes rows and can change no table, trigger or function.
 */

/** User and password of an address. */
interface Login {
  name: string;
  /** Empty where the server asks for none. */
  password: string;
}

/** @param url `postgresql://user:password@host:port/name` */
export function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

const SCRAM_ROUNDS = 4096;
/**
 * Functions that run with the owner's rights. Triggers run them without this right. A login that has it could make a trigger
 * with them on a temporary table, whose casts they would run. It is taken away each time, because a restore may lose it.
 */
const OWNERS_FUNCTIONS = `
  select oid::regprocedure::text as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;

/**
 * Lets a login read and write every row of the platform, now and in later tables; makes it where it is missing. Nothing
 * of what it has otherwise is taken away.
 * @param owner a connection of the role that owns the tables
 * @throws the driver's error when the owner may not make roles, or owns no tables
 */
export async function admitLogin(owner: pg.ClientBase, { name, password }: Login): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name]);
  const secret = password === '' ? '' : ` password ${pg.escapeLiteral(scramVerifier(password))}`;
  if (rowCount === 0) await owner.query(`create role ${role} login${secret}`);
  const { rows: definers } = await owner.query<{ name: string }>(OWNERS_FUNCTIONS);
  for (const statement of [
    ...definers.map(({ name }) => `revoke execute on function ${name} from public`),
    `grant usage on schema public to ${role}`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
    `grant usage, select on all sequences in schema public to ${role}`,
    `revoke insert, update, delete on ${BOOKKEEPING_TABLE} from ${role}`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`,
    `alter default privileges in schema public grant usage, select on sequences to ${role}`,
  ])
    await owner.query(statement);
}

/** What PostgreSQL keeps of a password (RFC 5803), so that its log never shows the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ROUNDS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

/** Whether this login could change tables or triggers: it is a superuser, owns a table or has the right to make triggers. */
export async function canChangeTables(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ can: boolean }>(
    `select exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (pg_has_role(c.relowner, 'usage') or has_table_privilege(c.oid, 'trigger'))) as can`,
  );
  return rows[0]?.can ?? false;
}
