import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What the builds of the site define, in a process of this environment. */
async function definitions(nodeEnv: string): Promise<unknown> {
  const program = `const { clientBuild } = await import('${ROOT}ops/dev/site/vite-builds.ts');
    console.log(JSON.stringify(clientBuild('unused').define));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', program],
    { env: { ...process.env, NODE_ENV: nodeEnv } },
  );
  return JSON.parse(stdout);
}

test('only a development build has the button that sends a test event', async () => {
  expect(await definitions('development')).toEqual({ DEVELOPMENT: 'true' });
  for (const other of ['production', 'test', ''])
    expect(await definitions(other)).toEqual({ DEVELOPMENT: 'false' });
  const built = join(ROOT, 'dist/site');
  const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  expect(scripts.length).toBeGreaterThan(10);
  for (const file of scripts)
    expect([file, readFileSync(join(built, file), 'utf8').includes('Send a test event')]).toEqual([
      file,
      false,
    ]);
});
