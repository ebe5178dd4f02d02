import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderApiPage } from '../codegen/api/api-page.ts';
import { renderNativeModels } from '../codegen/api/native-models.ts';
import { renderProcedureKinds } from '../codegen/api/procedure-kinds.ts';
import { readProcedures } from '../codegen/api/procedures.ts';
import { readResponseModels } from '../codegen/api/response-schemas.ts';
import { renderTokens } from '../codegen/tokens/token-files.ts';
import { withCheckOption } from './check-option.ts';

/**
 * Generates the files for clients: from the API host's own router and schemas Swift and Kotlin models, the table of
 * procedures of the TypeScript client, and docs/api.md; from the design tokens the site's variables and color roles. `--check` compares instead and exits with 1 when a file is
 * stale. The same sources give the same files everywhere; no server is started or called.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Every file in these folders is generated, so the file of a removed router is stale. */
const OWNED_FOLDERS = ['clients/ios', 'clients/android'];

/** The text of every generated file by its path from the repository's root. */
export async function generateFiles(): Promise<Map<string, string>> {
  const procedures = readProcedures();
  const files = await renderNativeModels(readResponseModels(procedures).models);
  files.set('clients/typescript/procedure-kinds.ts', renderProcedureKinds(procedures));
  files.set('docs/api.md', renderApiPage(procedures));
  for (const [path, text] of renderTokens()) files.set(path, text);
  return files;
}

/** Stale paths under `root`: changed, missing, or no longer generated. */
export function staleFiles(root: string, files: ReadonlyMap<string, string>): string[] {
  const changed = [...files]
    .filter(([path, text]) => textOf(join(root, path)) !== text)
    .map(([path]) => path);
  const gone = OWNED_FOLDERS.flatMap((folder) =>
    namesIn(join(root, folder)).map((name) => `${folder}/${name}`),
  ).filter((path) => !files.has(path));
  return [...changed, ...gone].toSorted();
}

/**
 * Writes the files, or with `check` only compares them.
 * @returns the exit code: 1 when `check` found a stale file
 */
export async function run({ check, root }: { check: boolean; root: string }): Promise<number> {
  const files = await generateFiles();
  const stale = staleFiles(root, files);
  if (stale.length === 0) {
    console.log('Generated files up to date');
    return 0;
  }
  if (check) {
    console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit what it changes.`);
    return 1;
  }
  for (const path of stale) {
    const text = files.get(path);
    if (text === undefined) {
      rmSync(join(root, path), { recursive: true });
      continue;
    }
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`Generated: ${stale.join(', ')}`);
  return 0;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await withCheckOption((check) => run({ check, root: ROOT }));
