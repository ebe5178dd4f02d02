import { fileURLToPath } from 'node:url';
import { startProgram } from '../../../support/platform/started-program.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/**
 * Runs a script of this folder in a process, with the named mutation applied to the modules that it loads;
 * null: no mutation. Resolves with its exit code and its last output line.
 */
export async function runMutated(
  mutation: string | null,
  { script, args, env = {} }: { script: string; args: string[]; env?: NodeJS.ProcessEnv },
): Promise<{ code: number | string; lastLine: string }> {
  const program = startProgram(['--import', here('mutation-loader.ts'), here(script), ...args], {
    env: { ...env, NODE_NO_WARNINGS: '1', ...(mutation === null ? {} : { SIMULATION_MUTATION: mutation }) },
  });
  const code = await program.ended();
  return { code, lastLine: program.said().trimEnd().split('\n').at(-1) ?? '' };
}
