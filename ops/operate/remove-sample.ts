import { parseArgs } from 'node:util';
import { openDatabase } from '../../persistence/database/database.ts';
import { removeSample } from '../../persistence/sample/sample-town.ts';
import { type Command, DONE, NOT_DONE, NOT_UNDERSTOOD } from './run-operation.ts';

export const REMOVE_SAMPLE_HELP = `Usage: DATABASE_OWNER_URL=… npm run ops -- remove-sample --yes

Removes the sample town: its homes, people, pictures, tours and their history, and what people have done with them since.
The files follow when a worker runs next. It does not come back by itself. Real listings stay, except those of the
sample's agents.

  --yes   without it, nothing is removed
`;

/** @returns the exit code */
export async function removeSampleTown({ args, environment, screen }: Command): Promise<number> {
  const isSure = readArguments(args);
  const url = environment.DATABASE_OWNER_URL;
  if (isSure === null || !url) {
    screen.err(
      isSure === null
        ? `It takes "--yes" and nothing else.\n\n${REMOVE_SAMPLE_HELP}`
        : 'DATABASE_OWNER_URL is not set. Give the address of the database, with the login that owns the tables.',
    );
    return NOT_UNDERSTOOD;
  }
  if (!isSure) {
    screen.err('Nothing was removed. Add --yes to remove the sample town with all that belongs to it.');
    return NOT_DONE;
  }
  const database = await openDatabase({ url, poolSize: 1, applicationName: 'proscenium-ops' }).catch(
    () => null,
  );
  if (database === null) {
    screen.err('The database at DATABASE_OWNER_URL cannot be reached. Check it and try again.');
    return NOT_UNDERSTOOD;
  }
  try {
    const removed = await removeSample(database.pool);
    screen.out(
      removed === null
        ? 'There is no sample town.'
        : `Removed: ${removed.homes} homes and ${removed.people} people. A worker deletes their files.`,
    );
    return DONE;
  } catch (error) {
    screen.err(`Nothing was removed: ${error instanceof Error ? error.message : String(error)}`);
    return NOT_UNDERSTOOD;
  } finally {
    await database.close();
  }
}

function readArguments(args: readonly string[]): boolean | null {
  try {
    return parseArgs({ args: [...args], options: { yes: { type: 'boolean', default: false } } }).values.yes;
  } catch {
    return null;
  }
}
