import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descriptionOf, effectOf } from '../../machines/step.ts';
import { CHART_DIRECTORY, CHARTS, drawPages, run, stalePages } from '../../ops/charts.ts';
import { temporaryDirectory } from '../harness/stack.ts';

test('the committed pages are what the machines say', () => {
  expect(stalePages(CHART_DIRECTORY)).toEqual([]);
  expect(run({ check: true, directory: CHART_DIRECTORY })).toBe(0);
});

test('the same machines give the same pages', () => {
  expect(drawPages()).toEqual(drawPages());
});

test('a page that was changed, is missing, or belongs to no machine is named; drawing again repairs all', () => {
  const directory = temporaryDirectory();
  expect(run({ check: true, directory })).toBe(1);
  expect(run({ check: false, directory })).toBe(0);
  expect(stalePages(directory)).toEqual([]);
  writeFileSync(join(directory, 'staging-job.md'), 'changed by hand');
  rmSync(join(directory, 'image-review.md'));
  writeFileSync(join(directory, 'forgotten-machine.md'), '');
  expect(stalePages(directory)).toEqual(['forgotten-machine.md', 'image-review.md', 'staging-job.md']);
  expect(run({ check: true, directory })).toBe(1);
  expect(readFileSync(join(directory, 'staging-job.md'), 'utf8')).toBe('changed by hand');
  expect(run({ check: false, directory })).toBe(0);
  expect(run({ check: true, directory })).toBe(0);
});

test('every machine has its page, with every state, sentence, effect, event and condition', () => {
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
      const effect = effectOf(machine, state);
      if (effect) expect(page).toContain(`| \`${effect}\` |`);
    }
  }
});

test('arrows lead between states that are declared, and say under which condition', () => {
  const [declared, arrows] = [new Set(['[*]']), [] as string[][]];
  for (const line of (drawPages().get('provider-attempt.md') ?? '').split('\n')) {
    const state = /^ {2}state ".*" as (\w+)$/.exec(line)?.[1];
    if (state) declared.add(state);
    const arrow = /^ {2}(\S+) --> (\S+)(?: : (\S.*))?$/.exec(line);
    if (arrow) arrows.push(arrow.slice(1));
  }
  for (const [from, to] of arrows) expect([...declared]).toEqual(expect.arrayContaining([from, to]));
  expect(arrows).toContainEqual(['SENT', 'RESERVED', 'SEND_REFUSED (maySendAgain)']);
  expect(arrows).toContainEqual(['UNCONFIRMED', 'LOST', 'WINDOW_PASSED']);
  expect(arrows).toContainEqual(['[*]', 'RESERVED', undefined]);
});
