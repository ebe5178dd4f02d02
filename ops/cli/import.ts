import { directDatabaseUrl } from '../../src/config/addresses.ts';
import { problemLine, readSite } from '../../src/site/read-site.ts';
import { importCommand } from '../dev/import/command.ts';

/** `npm run import`: imports public data into the database (see `--help`). */
const { site, problems } = readSite(process.env.SITE_DIR);
if (site === null) {
  for (const problem of problems) process.stderr.write(`SITE_DIR: ${problemLine(problem)}\n`);
  process.exit(2);
}
process.exitCode = await importCommand(process.argv.slice(2), {
  databaseUrl: directDatabaseUrl(process.env),
  siteCurrency: site.currency,
  screen: {
    write: (text) => void process.stdout.write(text),
    redraws: process.stdout.isTTY === true,
    columns: process.stdout.columns ?? 80,
  },
  complain: (text) => void process.stderr.write(`${text.trimEnd()}\n`),
  now: () => Date.now(),
});
