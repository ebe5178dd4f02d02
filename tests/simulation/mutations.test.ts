import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MUTATIONS } from './mutations.ts';

/** Each known mistake turns the campaign red, and for the reason that it should (invariants.md, the oracle). */
const MAX_SEEDS = 1_000;
const MINUTES = 60_000;
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function campaignWith(mutation: string): Promise<{ code: number | null; seeds: number; breaches: string[] }> {
  const child = spawn(
    process.execPath,
    ['--import', here('mutation-loader.ts'), here('simulate.ts'), '--json', '--seeds', String(MAX_SEEDS)],
    { env: { ...process.env, SIMULATION_MUTATION: mutation }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let out = '';
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const { seeds, breaches } = JSON.parse(out) as { seeds: number; breaches: string[] };
      resolve({ code, seeds, breaches });
    });
  });
}

for (const { name, expects } of MUTATIONS) {
  test(
    `a campaign notices: ${name}`,
    async () => {
      const { code, breaches } = await campaignWith(name);
      expect(code).toBe(1);
      const broken = breaches.map((line) => line.split(' ')[0] ?? '');
      expect(broken.filter((invariant) => expects.includes(invariant))).not.toEqual([]);
    },
    10 * MINUTES,
  );
}
