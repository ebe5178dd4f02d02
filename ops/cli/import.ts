import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { importCommand } from '../dev/import/command.ts';

/** `npm run import`: imports public data into the database (see `--help`). */
process.exitCode = await importCommand(process.argv.slice(2), {
  databaseUrl: directDatabaseUrl(process.env),
  screen: {
    write: (text) => void process.stdout.write(text),
    redraws: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
  },
  complain: (text) => void process.stderr.write(`${text.trimEnd()}\n`),
  now: () => Date.now(),
});
