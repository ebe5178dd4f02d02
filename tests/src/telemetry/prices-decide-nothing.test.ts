import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definitionOf } from '../../../persistence/actors/actor-kinds.ts';

/** The modules that may use prices. None of them starts, sends or ends a purchase. */
const KNOW_PRICES = [
  // The page of an attempt shows the estimate; the row that its machine reads has none.
  /^persistence\/actors\/rows\/attempt-row\.ts$/,
  /^persistence\/console\//,
  /^persistence\/migrations\//,
  // The estimate of one picture for agents, as the studio shows it: setting, procedure, shape.
  /^src\/api\/services\.ts$/,
  /^src\/api\/routers\/staging-quota\.ts$/,
  /^src\/wire\/staging-jobs\.ts$/,
  /^src\/config(\/[a-z-]+)?\.ts$/,
  /^src\/console\//,
  /^src\/worker\/(cost-recorder|services|tree)\.ts$/,
];
const NAMES_A_PRICE = /cost-?microusd|cost-?kind|pricing-?version|cost-(?:estimates|queries)/i;

test('no other module can read what a purchase cost', () => {
  const files = ['machines', 'persistence', 'supervisors', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const named = files.filter((file) => NAMES_A_PRICE.test(readFileSync(file, 'utf8')));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !KNOW_PRICES.some((known) => known.test(file)))).toEqual([]);
});

test("the row that an attempt's machine reads has no price", () => {
  const { columns } = definitionOf('providerAttempt').rows;
  expect(columns.join()).toMatch(/providerPredictionId/);
  expect(columns.join()).not.toMatch(/cost/i);
});
