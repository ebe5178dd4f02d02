import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { importCommand } from '../../../../ops/dev/import/command.ts';
import { createDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { temporaryDirectory } from '../../../support/platform/stack.ts';
import { type StartedProgram, startProgram } from '../../../support/platform/started-program.ts';

const HEADER =
  'id,date,price,bedrooms,bathrooms,sqft_living,sqft_lot,floors,waterfront,view,condition,grade,sqft_above,' +
  'sqft_basement,yr_built,yr_renovated,zipcode,lat,long,sqft_living15,sqft_lot15';
const COLUMNS = HEADER.split(',');
const ORDINARY: Record<string, string> = {
  id: '7129300520',
  date: '20141013T000000',
  price: '221900',
  bedrooms: '3',
  bathrooms: '1',
  sqft_living: '1180',
  sqft_lot: '5650',
  floors: '1',
  waterfront: '0',
  view: '0',
  condition: '3',
  grade: '7',
  sqft_above: '1180',
  sqft_basement: '0',
  yr_built: '1955',
  yr_renovated: '0',
  zipcode: '98178',
  lat: '47.5112',
  long: '-122.257',
  sqft_living15: '1340',
  sqft_lot15: '5650',
};

/** A line of the sales file: an ordinary house with the given changes. */
export function saleLine(cells: Record<string, string> = {}): string {
  const row = { ...ORDINARY, ...cells };
  return COLUMNS.map((column) => row[column as keyof typeof row]).join(',');
}
export const salesFile = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`;

interface ImportRun {
  code: number;
  text: string;
}

/** A database of its own, and the importer as users run it. */
export interface ImportHarness {
  readonly database: TestDatabase;
  readonly pool: pg.Pool;
  rows<R extends object = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<R[]>;
  /** Writes a file and returns its path. */
  file(name: string, content: string | Buffer): string;
  /** Runs the importer as a separate process, as users do. */
  start(args: string[], env?: NodeJS.ProcessEnv): StartedProgram;
  /** Runs the importer in the test's process; both outputs are returned as one text. */
  run(
    args: string[],
    around?: { databaseUrl?: string | undefined; siteCurrency?: string; redraws?: boolean },
  ): Promise<ImportRun>;
  /** Empties the tables that imports write. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function createImportHarness(): Promise<ImportHarness> {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  const folder = temporaryDirectory();
  const start = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    startProgram(['ops/cli/import.ts', ...args], { env: { DATABASE_URL: database.url, ...env } });
  return {
    database,
    pool,
    start,
    rows: async <R extends object>(sql: string, values: unknown[] = []) =>
      (await pool.query<R>(sql, values)).rows,
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    async run(args, { redraws = false, ...around } = {}) {
      let text = '';
      const write = (more: string) => {
        text += more;
      };
      const code = await importCommand(args, {
        databaseUrl: database.url,
        siteCurrency: 'USD',
        complain: write,
        now: () => Date.now(),
        ...around,
        screen: { write, redraws, columns: 100 },
      });
      return { code, text };
    },
    async clear() {
      await pool.query('delete from properties');
      await pool.query('delete from places');
    },
    async stop() {
      await pool.end();
      await database.drop();
    },
  };
}

/** All rows that an import writes, without what differs between runs: ids and the instants of the run. */
export async function imported({ rows }: Pick<ImportHarness, 'rows'>) {
  return {
    listings: await rows(
      `select to_jsonb(p) - '{id,createdAt,updatedAt,searchDirtyAt,searchIndexedAt}'::text[] as listing
       from properties p order by "originatingSystemKey"`,
    ),
    history: await rows(
      `select p."originatingSystemKey" as key, e.event, e.at, e.price, e."pricePerArea", e.source
       from property_price_events e join properties p on p.id = e."propertyId" order by key, e.at, e.price, e.event`,
    ),
  };
}
