import { spawnSync } from 'node:child_process';
import { StackError } from './lifecycle.ts';

const INSTRUCTION =
  'Redis is missing: there is no redis-server in PATH. Install it (Debian/Ubuntu: sudo apt-get install redis-server; ' +
  'Fedora: sudo dnf install redis; Alpine: apk add redis; macOS: brew install redis) and run this again.';

interface Installer {
  tool: string;
  commands: string[][];
}

const INSTALLERS: Installer[] = [
  {
    tool: 'apt-get',
    commands: [
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'redis-server'],
    ],
  },
  { tool: 'dnf', commands: [['dnf', 'install', '-y', 'redis']] },
  { tool: 'apk', commands: [['apk', 'add', 'redis']] },
];

/** Where the notices of an installation go. */
export type Announce = (line: string) => void;

/**
 * The name or path of `redis-server`, installed with the distribution's package manager when it is missing and we may.
 * @throws StackError BINARY_MISSING with the one thing to do by hand
 */
export function redisBinary(announce: Announce): string {
  if (runs('redis-server', ['--version'])) return 'redis-server';
  const installer = INSTALLERS.find(({ tool }) => runs(tool, ['--version']));
  const prefix = rootPrefix();
  if (installer === undefined || prefix === undefined) throw new StackError('BINARY_MISSING', INSTRUCTION);
  for (const command of installer.commands) {
    const [program = '', ...args] = [...prefix, ...command];
    announce(`redis-server is missing; running: ${[program, ...args].join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    if (status !== 0) throw new StackError('BINARY_MISSING', INSTRUCTION);
  }
  if (runs('redis-server', ['--version'])) return 'redis-server';
  throw new StackError('BINARY_MISSING', INSTRUCTION);
}

/** What to put before a command to run it as root; undefined when we may not without a password. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

function runs(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
