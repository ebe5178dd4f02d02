import { changedPackages } from './changed-packages.ts';
import { readImportGraph } from './import-graph.ts';
import type { Verified } from './records.ts';
import type { Repository } from './repository.ts';
import { type Selection, select } from './selection.ts';

/** An older record says too little about the machine, the packages of the system and the calendar. */
const VERIFIED_DAYS = 14;
const DAY_MS = 86_400_000;
const LOCK_FILE = 'package-lock.json';

export interface Choice {
  root: string;
  repository: Repository;
  verified: Pick<Verified, 'commit' | 'at' | 'failedFiles'> | null;
  /** The test files among which to choose. */
  tests: readonly string[];
  now: Date;
  /** The commit to judge. Its files have to be those of the checkout. */
  commit: string;
}

/** Chooses the test files for `commit`, by what differs from the verified commit. */
export function choose(choice: Choice): Selection {
  const { root, repository, verified, tests, commit } = choice;
  const unusable = whyUnusable(choice);
  if (verified === null || unusable !== null) {
    return { everything: unusable ?? '', reached: [...tests], drawn: [], share: null };
  }
  const files = repository.files();
  const changed = repository.changedBetween(verified.commit, commit);
  const [before, after] = [verified.commit, commit].map((one) => repository.textAt(one, LOCK_FILE) ?? '');
  return select({
    tests,
    graph: readImportGraph(root, files),
    changed,
    failedBefore: verified.failedFiles,
    packages: changed.includes(LOCK_FILE) ? changedPackages(before ?? '', after ?? '') : new Set(),
    commit,
  });
}

function whyUnusable({ repository, verified, now, commit }: Choice): string | null {
  if (verified === null) return 'no whole run is on record';
  if (!repository.isAncestor(verified.commit, commit)) {
    return `the verified commit ${verified.commit.slice(0, 8)} is no ancestor in this checkout`;
  }
  const days = (now.getTime() - Date.parse(verified.at)) / DAY_MS;
  return days > VERIFIED_DAYS ? `the last whole run is ${Math.floor(days)} days old` : null;
}
