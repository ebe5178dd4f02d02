import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lock-file.ts';

/** Commands of `ops` that an installation needs: they migrate, check, import and repair. */
const COMMANDS = [
  'ops/cli/import.ts',
  'ops/cli/invariants.ts',
  'ops/cli/legacy-status.ts',
  'ops/cli/migrate.ts',
  'ops/cli/operate.ts',
  'ops/cli/ready.ts',
  'ops/cli/restore-check.ts',
  'ops/cli/search-schema.ts',
  'ops/deploy/make-bucket.ts',
];
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files of `ops` that the commands of an installation import, and themselves. */
export function commandFiles(): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !path.startsWith('ops/')) return;
    found.add(path);
    for (const [, imported = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT))
      visit(join(path, '..', imported));
  };
  COMMANDS.forEach(visit);
  return [...found].sort();
}
