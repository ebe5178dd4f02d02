import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, submit, uploadRoom } from '../../support/platform/listing.ts';
import { opsUrlOf } from '../../support/platform/outcomes.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { askedSeries, mergeExpositions, readExposition } from './exposition.ts';
import { promtool, promtoolMissing } from './promtool.ts';
import { alertRules, dashboardExpressions } from './rule-files.ts';

/** The metrics of real processes after one job from sign-in to result, a late cancel and a rejected callback. */
let platform: TestPlatform;
const texts: string[] = [];

beforeAll(async () => {
  // No standby of the platform's database: its series are shown all the same.
  const standbys = { SEARCH_DATABASE_URLS: sharedStack().databaseUrl };
  platform = await startTestPlatform({
    webSettings: { ...testSigning().settings, ...standbys },
    settings: { LAST_BACKUP_FILE: '/never/written' },
  });
  const agent = await signIn(platform);
  const propertyId = await createListing(agent);
  const { aiJobId } = await submit(agent, await uploadRoom(agent, propertyId));
  await jobReaches(platform, aiJobId, 'SUCCESS');
  await agent.mutate('ai.cancelStagingJob', { aiJobId });
  await agent.request('POST', `/api/webhooks/provider/staging/${aiJobId}`, { body: '{}' });
  for (const role of platform.roles)
    texts.push(await (await fetch(`${await opsUrlOf(platform, role)}/metrics`)).text());
}, 120_000);
afterAll(() => platform.stop());

test('promtool accepts the names, units and help texts of both roles', ({ skip }) => {
  const missing = promtoolMissing();
  skip(missing !== null, missing ?? '');
  for (const text of texts) expect(promtool(['check', 'metrics'], text)).toEqual({ code: 0, text: '' });
}, 600_000);

describe('series used by rules and dashboard', () => {
  /** Labels that the scraping Prometheus, a histogram or the rule itself adds. */
  const ADDED = new Set(['instance', 'job', 'le', 'surface']);
  const RATES = ['rate', 'increase'];
  const expressions = [...alertRules().map(({ expr }) => expr), ...dashboardExpressions()];

  test.for(expressions)('%s', (expr) => {
    const shown = mergeExpositions(texts.map(readExposition));
    const asked = askedSeries(expr);
    if (!/\b(?:up|ALERTS)\b/.test(expr)) expect(asked).not.toEqual([]);
    for (const { name, labels, rangeFunction } of asked) {
      const metric = shown.get(name);
      expect(metric, `${name} is not shown by any process`).toBeDefined();
      const missing = labels.filter((label) => !metric?.labels.has(label) && !ADDED.has(label));
      expect(missing, `labels of ${name}`).toEqual([]);
      const counts = metric?.type === 'counter' || metric?.type === 'histogram';
      expect(rangeFunction === null, `${name} is a ${metric?.type}`).toBe(!counts);
      if (rangeFunction !== null) expect(RATES).toContain(rangeFunction);
    }
  });
});

test('no series has an id, an address or any other label value outside a closed set', () => {
  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
  for (const text of texts) {
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(series.length).toBeGreaterThan(50);
    for (const line of series) {
      expect(line).not.toMatch(UUID);
      expect(line).not.toMatch(/@|:\/\//);
    }
  }
});
