import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Loads the role's modules without starting it, and prints the packages that came with them. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url) ?? [];
      if (name !== undefined) packages.add(name);
      return next(url, context);
    },
  });
  await import('./src/web/compose.ts');
  console.log(JSON.stringify([...packages]));`;

async function loadedPackages(): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  return JSON.parse(stdout);
}

test('before it listens, the web role loads no package that only some requests need', async () => {
  const packages = await loadedPackages();
  expect(packages).toContain('pg');
  for (const late of [
    'bullmq',
    '@aws-sdk/client-s3',
    'undici',
    'better-auth',
    'nodemailer',
    '@sentry/core',
    'react',
  ])
    expect(packages).not.toContain(late);
});
