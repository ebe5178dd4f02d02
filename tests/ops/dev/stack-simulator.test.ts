import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { localSecrets } from '../../../ops/dev/stack/local-secrets.ts';
import { startSimulator } from '../../../ops/dev/stack/simulator.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';

test('no process list shows the token of the simulator, which is the only token it accepts', async () => {
  const dataDir = temporaryDirectory();
  const simulator = await startSimulator({ dataDir, speed: 'instant' });
  if (simulator === undefined) throw new Error('this checkout has no simulator');
  try {
    const shown = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(simulator.pid())], {
      encoding: 'utf8',
    });
    expect(shown).toContain('simulator/main.ts');
    const { providerToken } = localSecrets(dataDir);
    expect(shown).not.toContain(providerToken);
    const statusOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${simulator.baseUrl}/v1/predictions`, { headers })).status;
    };
    expect([await statusOf(providerToken), await statusOf('another')]).toEqual([200, 401]);
  } finally {
    await simulator.stop();
  }
});
