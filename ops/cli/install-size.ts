import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../release/lock-file.ts';
import { INSTALL_MB, megabytes, sizeLine, tooLarge } from '../release/sizes.ts';

/** `npm run install:size`: what `npm ci --omit=dev` brings into an empty folder. Fails when that is too much. */
const folder = mkdtempSync(join(tmpdir(), 'proscenium-install-'));
try {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(ROOT, file), join(folder, file));
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: 'inherit',
  });
  const modules = join(folder, 'node_modules');
  const node = megabytes([join(modules, 'node')]);
  const size = megabytes([modules]) - node;
  process.stdout.write(`${sizeLine(size, `npm ci --omit=dev without Node.js, of at most ${INSTALL_MB}`)}\n`);
  process.stdout.write(`${sizeLine(node, 'Node.js')}\n`);
  const problem = tooLarge(size, INSTALL_MB, 'npm ci --omit=dev');
  if (problem !== undefined) throw new Error(problem);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
