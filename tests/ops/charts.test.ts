import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { activityOf, descriptionOf } from '../../machines/step.ts';
import { CHART_DIRECTORIES, run, staleCharts } from '../../ops/cli/charts.ts';
import { CHARTS } from '../../ops/codegen/charts/chart-list.ts';
import { layOutDrawings } from '../../ops/codegen/charts/drawings.ts';
import { drawPages } from '../../ops/codegen/charts/pages.ts';
import type { Drawing, DrawnEdge } from '../../src/console/chart/drawing.ts';
import { temporaryDirectory } from '../support/platform/stack.ts';

const LAYOUT_MS = 30_000;

test('the committed charts match the machines', { timeout: LAYOUT_MS }, async () => {
  expect(await staleCharts(CHART_DIRECTORIES)).toEqual([]);
  expect(await run({ check: true, directories: CHART_DIRECTORIES })).toBe(0);
});

test('the same machines give the same charts', { timeout: LAYOUT_MS }, async () => {
  expect(drawPages()).toEqual(drawPages());
  expect(await layOutDrawings()).toEqual(await layOutDrawings());
});

test('a chart that was changed, is missing or has no machine is reported; drawing again repairs all', {
  timeout: LAYOUT_MS,
}, async () => {
  const root = temporaryDirectory();
  const directories = { pages: join(root, 'pages'), drawings: join(root, 'drawings') };
  for (const directory of Object.values(directories)) mkdirSync(directory);
  expect(await run({ check: true, directories })).toBe(1);
  expect(await run({ check: false, directories })).toBe(0);
  expect(await staleCharts(directories)).toEqual([]);
  writeFileSync(join(directories.pages, 'staging-job.md'), 'changed by hand');
  rmSync(join(directories.pages, 'image-review.md'));
  writeFileSync(join(directories.pages, 'forgotten-machine.md'), '');
  writeFileSync(join(directories.drawings, 'tour.json'), '{}');
  writeFileSync(join(directories.drawings, 'forgotten-machine.json'), '');
  writeFileSync(join(directories.drawings, 'routes.ts'), 'no drawing');
  const stale = [
    'forgotten-machine.md',
    'image-review.md',
    'staging-job.md',
    'forgotten-machine.json',
    'tour.json',
  ];
  expect(await staleCharts(directories)).toEqual(stale);
  expect(await run({ check: true, directories })).toBe(1);
  expect(readFileSync(join(directories.pages, 'staging-job.md'), 'utf8')).toBe('changed by hand');
  expect(await run({ check: false, directories })).toBe(0);
  expect(await run({ check: true, directories })).toBe(0);
  expect(readFileSync(join(directories.drawings, 'routes.ts'), 'utf8')).toBe('no drawing');
});

test('every machine has a page with every state, sentence, effect, event and condition', () => {
  const pages = drawPages();
  for (const { machine, source, title } of CHARTS) {
    const name = `${source.replace('machines/', '').replace('.ts', '')}.md`;
    const page = pages.get(name) ?? '';
    expect(pages.get('README.md')).toContain(`[${title}](${name})`);
    for (const node of Object.values(machine.states).flatMap((one) => [one, ...Object.values(one.states)])) {
      const state = node.path.join('.');
      for (const [event, candidates] of node.transitions) {
        expect(page).toContain(`| \`${event}\` |`);
        for (const { guard } of candidates)
          if (typeof guard === 'string') expect(page).toContain(`\`${guard}\``);
      }
      if (Object.keys(node.states).length > 0) continue;
      expect(page).toContain(`state "${state}" as ${state.replace('.', '_')}`);
      expect(page).toContain(`| \`${state}\` | ${descriptionOf(machine, state)} |`);
      const activity = activityOf(machine, state);
      if (activity) expect(page).toContain(`| \`${activity}\` |`);
    }
  }
});

test('arrows connect declared states and name their condition', () => {
  const [declared, arrows] = [new Set(['[*]']), [] as string[][]];
  for (const line of (drawPages().get('provider-attempt.md') ?? '').split('\n')) {
    const state = /^ {2}state ".*" as (\w+)$/.exec(line)?.[1];
    if (state) declared.add(state);
    const arrow = /^ {2}(\S+) --> (\S+)(?: : (\S.*))?$/.exec(line);
    if (arrow) arrows.push(arrow.slice(1));
  }
  for (const [from, to] of arrows) expect([...declared]).toEqual(expect.arrayContaining([from, to]));
  expect(arrows).toContainEqual([
    'SENT',
    'RESERVED',
    'SEND_REFUSED (maySendAgain)<br/>SEND_WITHDRAWN (endsThisClaim)',
  ]);
  expect(arrows).toContainEqual([
    'UNCONFIRMED',
    'LOST',
    'WINDOW_PASSED (isNotListedAndCanceled)<br/>WINDOW_PASSED (isNotListed)',
  ]);
  expect(arrows).toContainEqual(['[*]', 'RESERVED', undefined]);
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const pairsOf = <T>(all: readonly T[]) =>
  all.flatMap((one, at) => all.slice(at + 1).map((two) => [one, two] as const));

/** Self-transitions are not drawn. */
const drawnPairs = ({ moves }: Drawing) =>
  new Set(moves.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} ${to}`));

test('every drawing has each state once and one line for each pair of states, and nothing overlaps', {
  timeout: LAYOUT_MS,
}, async () => {
  const drawings = [...(await layOutDrawings()).values()].map((text) => JSON.parse(text) as Drawing);
  expect(drawings.map(({ kind }) => kind)).toEqual(CHARTS.map(({ machine }) => machine.id));
  for (const drawing of drawings) {
    const { states, edges, width, height } = drawing;
    expect(new Set(edges.map(({ from, to }) => `${from} ${to}`))).toEqual(drawnPairs(drawing));
    const labels = edges.map(({ label }: DrawnEdge) => label);
    for (const box of [...states, ...labels])
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(
        true,
      );
    for (const [one, two] of pairsOf<Box>([...states, ...labels])) expect(overlap(one, two)).toBe(false);
    for (const { points } of edges) expect(points.length).toBeGreaterThan(1);
  }
});
