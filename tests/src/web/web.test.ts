import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { createDatabase } from '../../support/database/database.ts';
import { WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { startProgram } from '../../support/platform/started-program.ts';

const environment = (databaseUrl: string, settings: Record<string, string> = {}) =>
  roleEnvironment(
    {
      ...sharedStack(),
      databaseUrl,
      provider: { baseUrl: 'http://127.0.0.1:9', token: 'unused', webhookSecret: WEBHOOK_SECRET },
    },
    'web',
    { PORT: '0', OPS_PORT: '0', QUEUE_SUFFIX: `-${randomUUID()}`, SHUTDOWN_GRACE_MS: '2000', ...settings },
  );

describe('the program of the web role', () => {
  test('says where it listens, serves, and leaves on SIGTERM', async () => {
    const database = await createDatabase();
    const web = startProgram(['src/web.ts'], { env: environment(database.url) });
    try {
      const [, line = '{}'] = await web.untilSaid(/^(\{.*"listening".*\})$/m);
      const { url, opsUrl } = JSON.parse(line);
      for (const base of [url, opsUrl]) expect((await fetch(new URL('/healthz', base))).status).toBe(200);
      web.signal('SIGTERM');
      expect(await web.ended()).toBe(0);
      expect(web.said()).toMatch(/"stopped"/);
    } finally {
      web.signal('SIGKILL');
      await database.drop();
    }
  });

  test.each([
    [
      'without a database',
      { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:9/none' },
      1,
      /ECONNREFUSED.*could not start/,
    ],
    ['on a schema that is not migrated', {}, 1, /the database lacks .*run the release command/],
    [
      'without a webhook secret',
      { PROVIDER_WEBHOOK_SIGNING_SECRET: '' },
      78,
      /PROVIDER_WEBHOOK_SIGNING_SECRET/,
    ],
  ])('ends with one clear error %s', async (_, settings, code, said) => {
    const database = await createDatabase({ migrated: false });
    const web = startProgram(['src/web.ts'], { env: { ...environment(database.url), ...settings } });
    try {
      expect(await web.ended()).toBe(code);
      expect(web.said()).toMatch(said);
      expect(web.said()).not.toMatch(/secret-word/);
    } finally {
      web.signal('SIGKILL');
      await database.drop();
    }
  });
});
