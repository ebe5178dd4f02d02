import { writeFile } from 'node:fs/promises';
import { isMet, type Ratio } from './benchmark.ts';
import { drawSvg } from './peers.ts';
import type { Results } from './results.ts';

/** One bar of the chart. `ratio` is inverted where less is better, so that longer is always better. */
interface Bar {
  readonly what: string;
  readonly times: number;
  readonly goal: number;
  readonly verdict: 'goal met' | 'goal not met';
  readonly label: string;
}

const WIDTH = 560;
const STEP = 24;

/** Draws every ratio that has a goal, on a logarithmic scale, as an SVG file. */
export async function drawChart(results: Results, file: string): Promise<void> {
  const bars = Object.values(results.benches)
    .flatMap(({ findings }) => findings)
    .flatMap((finding) => (finding.kind === 'ratio' ? barsOf(finding) : []));
  await writeFile(file, await drawSvg(specification(bars)));
}

/** Without a goal it is unknown whether more is better, so no bar is drawn. */
function barsOf({ title, ours, peer, ratio, goal }: Ratio): Bar[] {
  if (goal === undefined) return [];
  const lessIsBetter = 'atMost' in goal;
  return [
    {
      what: `${title}: ${ours.name} / ${peer.name}`,
      goal: lessIsBetter ? 1 / goal.atMost : goal.atLeast,
      verdict: isMet(goal, ratio) ? 'goal met' : 'goal not met',
      times: lessIsBetter ? 1 / ratio : ratio,
      label: `${Number(ratio.toPrecision(2))} ×${lessIsBetter ? ' (less is better)' : ''}`,
    },
  ];
}

function specification(bars: readonly Bar[]): object {
  const y = { field: 'what', type: 'nominal', sort: null, title: null, axis: { labelLimit: 900 } };
  const x = {
    field: 'times',
    type: 'quantitative',
    scale: { type: 'log', nice: true },
    title: 'how many times as good as the peer (a tick marks the goal)',
  };
  const color = {
    field: 'verdict',
    type: 'nominal',
    title: null,
    legend: { orient: 'bottom' },
    scale: { domain: ['goal met', 'goal not met'], range: ['#2a7f62', '#c8553d'] },
  };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: WIDTH,
    height: { step: STEP },
    background: 'white',
    data: { values: bars },
    layer: [
      { mark: { type: 'bar', size: 14 }, encoding: { y, x, x2: { datum: 1 }, color } },
      {
        mark: { type: 'tick', size: 20, thickness: 3, color: '#111' },
        encoding: { y, x: { ...x, field: 'goal' } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 6, fontWeight: 'bold' },
        encoding: { y, x, text: { field: 'label' } },
      },
    ],
  };
}
