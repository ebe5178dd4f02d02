import { parseArgs } from 'node:util';
import type { City } from './neighborhoods.ts';
import { KNOWN_FILES } from './source-file.ts';

export const HELP = `npm run import -- <file> [more files] [options]

Brings public data into the database: house sales as listings with their price history, and places to search by. What
a file is, is told by its header. Places are imported before sales, whatever their order on the command line.

  --status <s>     Active (default): every house is on the market at the price of its last sale, since that day;
                   Closed: every house is sold. The file holds no asking prices
  --agent <email>  the agent who gets the listings (default: "County Records", made when missing)
  --places <file>  a file of postal codes that gives the houses their cities; the same as naming it among the files
  --city <c>       the city of a file of neighborhoods, such as "Seattle, WA" (default: the one around them, by the
                   postal codes that are imported)
  --refresh        also writes the files' facts (rooms, areas, city, position) over those of houses imported before;
                   otherwise these stay as they are and only sales that were unknown are added
  --errors <file>  writes every warning and every row that was left out to this file; the screen shows the first 20
  --data <folder>  where the local stack keeps its data (default .data)
  --help           this text

The database is DATABASE_URL, or that of the local stack while npm start runs in another terminal. With the worker
running, the search documents follow by themselves.

Importing again is safe: what is there is not written again, and an import that was stopped is begun again with the
same command. Exit code: 0 when every row was imported, 1 when rows were left out or the database failed (the rest is
imported), 2 when the command line, a file or the database was not usable.

Known files:
${KNOWN_FILES.map((file) => `  - ${file}`).join('\n')}
`;

export interface ImportRequest {
  files: string[];
  standardStatus: 'Active' | 'Closed';
  agentEmail: string | undefined;
  city: City | undefined;
  refresh: boolean;
  errorsFile: string | undefined;
  dataDir: string | undefined;
}

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** @returns null when the help is requested. @throws UsageError */
export function readArguments(argv: string[]): ImportRequest | null {
  const { values, positionals } = parsed(argv);
  if (values.help) return null;
  const files = [...new Set([...(values.places ?? []), ...positionals])];
  if (files.length === 0) throw new UsageError('Name at least one file.');
  if (values.status !== 'Active' && values.status !== 'Closed') {
    throw new UsageError(`--status is Active or Closed, not "${values.status}"`);
  }
  return {
    files,
    standardStatus: values.status,
    agentEmail: values.agent,
    city: values.city === undefined ? undefined : readCity(values.city),
    refresh: values.refresh,
    errorsFile: values.errors,
    dataDir: values.data,
  };
}

function parsed(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        status: { type: 'string', default: 'Active' },
        agent: { type: 'string' },
        places: { type: 'string', multiple: true },
        city: { type: 'string' },
        refresh: { type: 'boolean', default: false },
        errors: { type: 'string' },
        data: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readCity(text: string): City {
  const [, name, state] = /^\s*(\S.*?)\s*,\s*([A-Z]{2})\s*$/.exec(text) ?? [];
  if (name === undefined || state === undefined) {
    throw new UsageError(`--city is a name and a state, such as "Seattle, WA", not "${text}"`);
  }
  return { name, state };
}
