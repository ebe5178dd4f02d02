import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

const INSTALL = `import('./ops/dev/stack/private-install.ts').then(({ installPrivately }) =>
  console.log('at', installPrivately({ program: 'redis-server', packages: ['redis-server'] }, process.env.WITHIN)))`;

/** As apt-get answers when `redis-server` needs `redis-tools`. */
const APT = `case "$*" in
  *--simulate*) echo 'Inst redis-tools (1)'; echo 'Inst redis-server (1)';;
  *download*redis-tools*redis-server*) : > one.deb;;
esac`;
const DPKG = `/bin/mkdir -p "$3/usr/bin" "$3/usr/lib/some"
: > "$3/usr/lib/some/libz.so.1"
echo '#!/bin/sh
echo "$LD_LIBRARY_PATH $@"' > "$3/usr/bin/redis-server"
/bin/chmod +x "$3/usr/bin/redis-server"`;

/** Installs with these programs, and no others in PATH. */
async function install(within: string, scripts: { 'apt-get': string; 'dpkg-deb': string }): Promise<string> {
  const bin = temporaryDirectory();
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const program = startProgram(['-e', INSTALL], { env: { PATH: bin, WITHIN: within } });
  await program.ended();
  return program.said();
}

test('a program is unpacked into a folder without root, once, and finds the libraries of its packages', async () => {
  const within = temporaryDirectory();
  const start = join(within, 'redis-server/start');
  expect(await install(within, { 'apt-get': APT, 'dpkg-deb': DPKG })).toContain(`at ${start}`);
  const { stdout } = await promisify(execFile)(start, ['--port', '1']);
  expect(stdout).toBe(`${within}/redis-server/root/usr/lib/some --port 1\n`);
  expect(readdirSync(within)).toEqual(['redis-server']);
  expect(await install(within, { 'apt-get': 'exit 1', 'dpkg-deb': 'exit 1' })).toContain(`at ${start}`);
});

test.each([
  ['its index cannot be updated', 'exit 1', DPKG],
  ['a package cannot be downloaded', APT.replace(': > one.deb', 'exit 1'), DPKG],
  ['a package cannot be unpacked', APT, 'exit 1'],
  ['its packages lack the program', APT, 'exit 0'],
])('if %s, there is none, and nothing is left', async (_, apt, dpkg) => {
  const within = temporaryDirectory();
  expect(await install(within, { 'apt-get': apt, 'dpkg-deb': dpkg })).toContain('at undefined');
  expect(readdirSync(within)).toEqual([]);
});
