import { dependentsOf, type ImportGraph } from './import-graph.ts';
import { EVERYTHING, PARTS, PROOFS, RECORDS, TEST_PACKAGES, TEXTS } from './parts.ts';

/** How many selections in a row, on average, it takes until an unchanged test file has run. */
export const SHARES = 3;

export interface Change {
  /** The test files among which to choose. */
  tests: readonly string[];
  graph: ImportGraph;
  /** Paths that differ from the verified commit, deleted ones too. */
  changed: readonly string[];
  /** Test files that the last whole run did not verify. */
  failedBefore: readonly string[];
  /** Names of packages that differ from the verified commit. */
  packages: ReadonlySet<string>;
  /** The hash of the commit that is tested, in hex. It alone draws the share. */
  commit: string;
}

export interface Selection {
  /** Why everything runs, or null. */
  everything: string | null;
  /** Test files that the change reaches, by imports or by a part, and those that failed before. */
  reached: string[];
  /** Test files of the rest that the commit's hash draws. */
  drawn: string[];
  /** The points of the proofs that run, as `k/3`, or null for all: they are divided unless a proof must run in full. */
  share: string | null;
}

/** Chooses the test files that have to run for a change. */
export function select(change: Change): Selection {
  const { tests, commit } = change;
  const everything = reasonForEverything(change);
  if (everything !== null) return { everything, reached: [...tests], drawn: [], share: null };
  const changed = change.changed.filter((path) => !RECORDS.includes(path));
  const loaded = dependentsOf(change.graph, [
    ...changed.filter((path) => !startsWithOne(path, TEXTS)),
    ...[...change.packages].map((name) => `package:${name}`),
  ]);
  const inFull = PARTS.filter(({ changed: paths, except = [] }) =>
    changed.some((path) => startsWithOne(path, paths) && !startsWithOne(path, except)),
  ).flatMap(({ run }) => run);
  const reached = tests.filter(
    (file) => loaded.has(file) || startsWithOne(file, inFull) || change.failedBefore.includes(file),
  );
  const k = Number.parseInt(commit.slice(0, 8), 16) % SHARES;
  const rest = tests.filter((file) => !reached.includes(file));
  return {
    everything,
    reached,
    drawn: rest.filter((_, index) => index % SHARES === k),
    share: PROOFS.every((proof) => inFull.includes(proof)) ? null : `${k}/${SHARES}`,
  };
}

/** Why everything has to run whatever the tests import, or null. */
function reasonForEverything({ changed, packages }: Change): string | null {
  const path = changed.find((one) => startsWithOne(one, EVERYTHING));
  if (path !== undefined) return `${path} was changed, which decides what runs`;
  const name = TEST_PACKAGES.find((one) => packages.has(one));
  return name === undefined ? null : `the package ${name} was changed, which runs the tests`;
}

const startsWithOne = (path: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => path.startsWith(beginning));
