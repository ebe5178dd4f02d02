import pg from 'pg';
import { openDatabase } from '../../../persistence/database/database.ts';
import { whileOnlyImport } from '../../../persistence/listings/listing-import.ts';
import { pendingMigrations } from '../../../persistence/migrations/pending.ts';
import { runningStack } from '../stack/running-stack.ts';
import { HELP, type ImportRequest, readArguments, UsageError } from './arguments.ts';
import { collectProblems, type Problems } from './problems.ts';
import { importSources, openSources } from './run.ts';
import { count, type Screen } from './screen.ts';
import { FileProblem } from './source-file.ts';

/** The environment of the command. */
export interface ImportEnvironment {
  /** `DATABASE_URL`, if it is set. */
  databaseUrl: string | undefined;
  screen: Screen;
  /** The currency in which the site takes prices. */
  siteCurrency: string;
  /** Prints why it stops. */
  complain(text: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

const EXIT = { done: 0, incomplete: 1, unusable: 2 } as const;

/**
 * Runs one import and returns its exit code (see `HELP`). It owns nothing between runs: every batch is one
 * transaction, so after a crash or Ctrl-C the same command continues from the imported rows.
 * @throws any unexpected error, for a stack trace
 */
export async function importCommand(argv: string[], around: ImportEnvironment): Promise<number> {
  try {
    const request = readArguments(argv);
    if (request !== null) return await runImport(request, around);
    around.screen.write(HELP);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FileProblem)) throw error;
    around.complain(error instanceof UsageError ? `${error.message}\n\n${HELP}` : error.message);
    return EXIT.unusable;
  }
}

async function runImport(request: ImportRequest, around: ImportEnvironment): Promise<number> {
  const { screen, complain, siteCurrency, now } = around;
  const sources = openSources(request.files, screen);
  const url = addressOf(request, around);
  const database = await openDatabase({ url, applicationName: 'proscenium-import', poolSize: 3 }).catch(
    (error: unknown) => {
      throw new FileProblem(`The database cannot be reached (${reason(error)}). Check that it runs.`);
    },
  );
  try {
    if ((await pendingMigrations(database.pool)).length > 0) {
      throw new FileProblem('The database is older than this program. Run npm run migrate first.');
    }
    const problems = await openProblems(request.errorsFile);
    const context = { pool: database.pool, screen, problems, siteCurrency, now };
    const work = () => importSources(sources, request, context);
    const code = await whileOnlyImport(database.pool, () => guarded(work, complain)).finally(problems.end);
    if (code === null) throw new FileProblem('Another import is running on this database.');
    for (const line of problems.summary()) screen.write(`${line}\n`);
    if (problems.failedRows === 0) return code;
    screen.write(`${count(problems.failedRows)} rows were left out.\n`);
    return code === EXIT.done ? EXIT.incomplete : code;
  } finally {
    await database.close();
  }
}

/** A database failure during the import is reported to the operator; committed rows stay. */
async function guarded(work: () => Promise<void>, complain: ImportEnvironment['complain']): Promise<number> {
  try {
    await work();
    return EXIT.done;
  } catch (error) {
    if (error instanceof FileProblem) {
      complain(error.message);
      return EXIT.unusable;
    }
    if (!isDatabaseFailure(error)) throw error;
    complain(
      `\nThe database failed (${reason(error)}). What was written until then is there; begin again with the same command.`,
    );
    return EXIT.incomplete;
  }
}

function isDatabaseFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError || error instanceof AggregateError) return true;
  return error instanceof Error && ('code' in error || /connection|timeout/i.test(error.message));
}

function addressOf({ dataDir }: ImportRequest, { databaseUrl: given }: ImportEnvironment): string {
  if (given !== undefined && given !== '') {
    if (/^postgres(ql)?:\/\//.test(given)) return given;
    throw new FileProblem('DATABASE_URL is not a postgresql:// address.');
  }
  const stack = runningStack(dataDir);
  if (stack !== undefined) return stack.databaseUrl;
  throw new FileProblem(
    `There is no database: DATABASE_URL is not set, and no local stack runs on ${dataDir ?? '.data'}. Set it, or run` +
      ' npm start in another terminal.',
  );
}

async function openProblems(errorsFile: string | undefined): Promise<Problems> {
  try {
    return await collectProblems(errorsFile);
  } catch (error) {
    throw new FileProblem(`${errorsFile} cannot be written (${reason(error)}).`);
  }
}

/** A refused connection is an AggregateError (one error per address) with an empty message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
