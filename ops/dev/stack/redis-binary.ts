import { type Announce, type SystemProgram, systemProgram } from './system-program.ts';

const REDIS: SystemProgram = {
  program: 'redis-server',
  title: 'Redis',
  packages: { 'apt-get': ['redis-server'], dnf: ['redis'], apk: ['redis'] },
  runsAnywhere: true,
};

/**
 * The name of `redis-server`, installed when it is missing and installation is allowed.
 * @throws StackError BINARY_MISSING with the one thing to do by hand
 */
export function redisBinary(announce: Announce): string {
  return systemProgram(REDIS, announce);
}
