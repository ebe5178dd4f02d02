import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS } from './mutations.ts';

/**
 * Loaded before a run (with `--import`): applies the mutation that
 * SIMULATION_MUTATION names to the texts of the modules as they load. An edit that does not fit its file exactly once
 * stops the process: a mutation that changes nothing proves nothing.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const name = process.env.SIMULATION_MUTATION;
const mutation = MUTATIONS.find((one) => one.name === name);
if (name !== undefined && !mutation) throw new Error(`no mutation is called ${name}`);

const texts = new Map<string, string>();
for (const { file, find, replace } of mutation?.edits ?? []) {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
  texts.set(
    file,
    text.replace(find, () => replace),
  );
}

registerHooks({
  load(url, context, nextLoad) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const source = path.startsWith(root) ? texts.get(path.slice(root.length)) : undefined;
    if (source === undefined) return nextLoad(url, context);
    return { format: 'module-typescript', shortCircuit: true, source };
  },
});
