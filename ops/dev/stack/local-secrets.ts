import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from './process-records.ts';

/**
 * Random secrets of one local stack, kept in `<dataDir>/secrets.json` (mode 0600) so that sessions and stored rows
 * survive a restart. None of them is a secret of a real deployment.
 */
export interface LocalSecrets {
  postgresPassword: string;
  /** Of the login with which web and worker use the database. */
  rolesPassword: string;
  redisPassword: string;
  s3SecretAccessKey: string;
  /** Signs sessions. */
  authSecret: string;
  /** 64 hex characters, independent of the session secret (docs/contract.md#secrets). */
  userHashSecret: string;
  /** The API token that the provider simulator accepts. */
  providerToken: string;
  /** The password of the operators' pages. */
  dashboardPassword: string;
}

/** Reads the secrets of `dataDir`, creating those that are missing. */
export function localSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, 'secrets.json');
  const stored = readStored(file);
  const secrets: LocalSecrets = {
    postgresPassword: stored.postgresPassword ?? hex(16),
    rolesPassword: stored.rolesPassword ?? hex(16),
    redisPassword: stored.redisPassword ?? hex(16),
    s3SecretAccessKey: stored.s3SecretAccessKey ?? hex(16),
    authSecret: stored.authSecret ?? randomBytes(32).toString('base64url'),
    userHashSecret: stored.userHashSecret ?? hex(32),
    providerToken: stored.providerToken ?? `r8_${hex(20)}`,
    dashboardPassword: stored.dashboardPassword ?? hex(8),
  };
  if (Object.values(stored).length < Object.values(secrets).length) {
    mkdirSync(dataDir, { recursive: true });
    writeAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
}

function readStored(file: string): Partial<LocalSecrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalSecrets>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
