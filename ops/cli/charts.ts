import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOutDrawings } from '../codegen/charts/drawings.ts';
import { drawPages } from '../codegen/charts/pages.ts';
import { withCheckOption } from './check-option.ts';

/**
 * Draws every machine twice: as a page in `docs/charts/`, and as a layout for the console in `src/console/chart/`.
 * `--check` compares instead and exits with 1 when a file is stale. Everything is derived from the machines, so the
 * same machines give the same files everywhere.
 */
export interface ChartDirectories {
  /** Contains only the pages. */
  pages: string;
  /** Its files that end in `.json` are drawings. */
  drawings: string;
}
export const CHART_DIRECTORIES: ChartDirectories = {
  pages: fileURLToPath(new URL('../../docs/charts/', import.meta.url)),
  drawings: fileURLToPath(new URL('../../src/console/chart/', import.meta.url)),
};

interface Drawn {
  directory: string;
  files: ReadonlyMap<string, string>;
  isOurs(name: string): boolean;
}

async function drawAll({ pages, drawings }: ChartDirectories): Promise<Drawn[]> {
  return [
    { directory: pages, files: drawPages(), isOurs: () => true },
    { directory: drawings, files: await layOutDrawings(), isOurs: (name) => name.endsWith('.json') },
  ];
}

/** Names of a directory's stale files: changed, missing, or without a machine. */
function staleFiles({ directory, files, isOurs }: Drawn): string[] {
  const present = readdirSync(directory, { withFileTypes: true }).map(({ name }) => name);
  const changed = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(directory, name), 'utf8') !== text,
  );
  const forgotten = present.filter((name) => isOurs(name) && !files.has(name));
  return [...changed.map(([name]) => name), ...forgotten].toSorted();
}

/** The names of all stale files. */
export async function staleCharts(directories: ChartDirectories): Promise<string[]> {
  return (await drawAll(directories)).flatMap(staleFiles);
}

/**
 * Writes the files, or with `check` only compares them.
 * @returns the exit code: 1 when `check` found a stale file
 */
export async function run({
  check,
  directories,
}: {
  check: boolean;
  directories: ChartDirectories;
}): Promise<number> {
  const stale: string[] = [];
  for (const drawn of await drawAll(directories)) {
    const { directory, files } = drawn;
    mkdirSync(directory, { recursive: true });
    const names = staleFiles(drawn);
    stale.push(...names);
    if (check) continue;
    for (const name of names.filter((one) => !files.has(one)))
      rmSync(join(directory, name), { recursive: true });
    for (const [name, text] of files) writeFileSync(join(directory, name), text);
  }
  if (stale.length === 0) console.log('State charts up to date');
  else if (check)
    console.error(
      `Stale state charts: ${stale.join(', ')}. Run \`npm run charts\` and commit what it changes.`,
    );
  else console.log(`State charts drawn: ${stale.join(', ')}`);
  return check && stale.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await withCheckOption((check) => run({ check, directories: CHART_DIRECTORIES }));
