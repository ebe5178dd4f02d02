import { describe, expect, test } from 'vitest';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import { readDrawings } from '../../../src/console/chart/drawings.ts';
import { statesTable } from '../../../src/console/chart/states-table.ts';
import { chartSvg, pathThrough } from '../../../src/console/chart/svg.ts';
import { leavesOf, nameOf } from '../../support/machines/every-machine.ts';

/** The charts of the console, compared with the machines. */
const drawings = readDrawings();
const drawingOf = (kind: string) => {
  const drawing = drawings.get(kind);
  if (drawing === undefined) throw new Error(`no drawing of ${kind}`);
  return drawing;
};

test('every machine is drawn', () => {
  expect([...drawings.keys()].toSorted()).toEqual(Object.keys(ACTOR_KINDS).toSorted());
});

/** The groups of an SVG by the first word of their tooltip, which is the state name. */
const stateGroups = (svg: string) =>
  new Map(
    [...svg.matchAll(/<g class="(state[^"]*)">\s*<title>([^:<]+): ([^<]*)<\/title>/g)].map(
      ([, classes = '', name = '', words = '']) => [name, { classes: classes.split(' '), words }],
    ),
  );

describe.for(Object.entries(ACTOR_KINDS))('%s', ([kind, { machine }]) => {
  const drawing = drawingOf(kind);
  const names = leavesOf(machine).map(nameOf);

  test('shows each state with its sentence, and highlights only the present one', async () => {
    for (const present of names) {
      const groups = stateGroups(String(await chartSvg(drawing, { present })));
      expect([...groups.keys()].toSorted()).toEqual(names.toSorted());
      const lit = [...groups].filter(([, { classes }]) => classes.includes('present')).map(([name]) => name);
      expect(lit).toEqual([present]);
    }
    const table = String(await statesTable(drawing, null));
    for (const { name, sentence } of drawing.states) {
      expect(sentence).not.toBe('');
      expect(table).toContain(`>${name}</th>`);
    }
  });

  test('highlights the path that was taken, with the step numbers', async () => {
    for (const { from, to } of drawing.edges) {
      const path = [
        { state: from, step: 4 },
        { state: to, step: 9 },
      ];
      const svg = String(await chartSvg(drawing, { path }));
      expect(svg.match(/class="edge taken"/g)).toHaveLength(1);
      expect(svg).toContain(`<title>${from} to ${to}, step 9</title>`);
      expect(svg).toContain('<title>Step 4</title>');
      const visited = [...stateGroups(svg)].filter(([, { classes }]) => classes.includes('visited'));
      expect(new Set(visited.map(([name]) => name))).toEqual(new Set([from, to]));
    }
  });

  test('counts link to the lists, and zero is shown as 0', async () => {
    const counts = new Map(names.map((name, index) => [name, index * 1_234]));
    const svg = String(await chartSvg(drawing, { counts, href: (state) => `/list?state=${state}` }));
    for (const [name, count] of counts) {
      expect(svg).toContain(`href="/list?state=${name}"`);
      if (count > 0) expect(svg).toContain(`>${count.toLocaleString('en-US')}</text>`);
    }
    expect(svg.match(/class="count"/g) ?? []).toHaveLength(names.length - 1);
  });

  test('needs no style or script', async () => {
    expect(String(await chartSvg(drawing, { present: names[0] ?? null }))).not.toMatch(
      / style=|<style|<script| on\w+=/,
    );
  });
});

test('a line is drawn through its points with rounded corners', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 0, y: 40 },
    { x: 30, y: 40 },
  ];
  expect(String(pathThrough(points))).toBe('M 0 0 L 0 33 Q 0 40 7 40 L 30 40');
  expect(String(pathThrough([]))).toBe('');
});
