import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { promtool, promtoolMissing } from './promtool.ts';
import {
  alertRules,
  dashboard,
  dashboardExpressions,
  RULE_TESTS,
  RULES,
  RUNBOOKS,
  ruleTests,
  SCRAPE_CONFIG,
} from './rule-files.ts';

describe('by promtool', () => {
  let missing: string | null = null;
  beforeAll(() => {
    missing = promtoolMissing();
  }, 600_000);

  test.for([
    ['the rules are rules', ['check', 'rules', '--lint=all', '--lint-fatal', RULES]],
    ['the scrape configuration is one', ['check', 'config', SCRAPE_CONFIG]],
    ['each alert fires when it must and not when it must not', ['test', 'rules', RULE_TESTS]],
  ] as const)('%s', ([, args], { skip }) => {
    skip(missing !== null, missing ?? '');
    expect(promtool([...args])).toMatchObject({ code: 0 });
  });

  test('every expression of the dashboard can be parsed', ({ skip }) => {
    skip(missing !== null, missing ?? '');
    const rules = dashboardExpressions().map((expr, index) => ({ record: `dashboard:${index}`, expr }));
    const file = join(temporaryDirectory(), 'dashboard.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool(['check', 'rules', '--lint=none', file])).toMatchObject({ code: 0 });
  });
});

test('each alert has a summary, a severity and a runbook page that exists', () => {
  for (const { alert, labels, annotations } of alertRules()) {
    expect(labels.severity, alert).toMatch(/^(critical|warning)$/);
    expect(annotations.summary, alert).toMatch(/\S/);
    expect(annotations.description, alert).toMatch(/\S/);
    const page = annotations.runbook_url ?? '';
    expect(page, alert).toMatch(new RegExp(`^${RUNBOOKS}/[a-z-]+\\.md$`));
    expect(existsSync(page), page).toBe(true);
    expect(readFileSync(page, 'utf8'), page).toContain(`# ${alert}\n`);
  }
});

test('each runbook page belongs to an alert, and has the required sections', () => {
  const linked = alertRules().map(({ annotations }) => annotations.runbook_url);
  const pages = readdirSync(RUNBOOKS).map((name) => `${RUNBOOKS}/${name}`);
  expect(pages.toSorted()).toEqual(linked.toSorted());
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings, page).toEqual([
      'What it means',
      'See it',
      'Likely causes, in this order',
      'What to do',
      'When it is over',
    ]);
  }
});

test('each alert has a test that fires it and one that does not', () => {
  const shown = new Map<string, Set<string>>();
  for (const { name, promql_expr_test: looks } of ruleTests())
    for (const { expr, exp_samples: samples } of looks) {
      const alert = /alertname="(\w+)"/.exec(expr)?.[1] ?? '';
      expect(name.startsWith(`${alert} `), `${name}: ${expr}`).toBe(true);
      shown.set(alert, (shown.get(alert) ?? new Set()).add(samples.length > 0 ? 'fires' : 'does not'));
    }
  for (const { alert } of alertRules())
    expect([...(shown.get(alert) ?? [])].toSorted(), alert).toHaveLength(2);
});

test('the dashboard has a selectable data source, and no panel overlaps another', () => {
  const { templating, panels } = dashboard();
  expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }]);
  const chosen = `$\{${templating.list[0]?.name}}`;
  const covered = new Set<string>();
  for (const { title, type, datasource, targets, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(covered.has(`${x},${y}`), title).toBe(false);
        covered.add(`${x},${y}`);
      }
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === 'row') continue;
    expect([datasource?.uid, ...(targets ?? []).map((one) => one.datasource.uid)]).toEqual(
      Array.from({ length: 1 + (targets?.length ?? 0) }, () => chosen),
    );
  }
});
