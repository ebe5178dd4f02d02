import { writeFile } from 'node:fs/promises';
import { quantile } from '../../../ops/bench/alternate.ts';
import { drawSvg } from '../../../ops/bench/peers.ts';
import type { Run } from './result.ts';

const SLICE_MS = 5_000;
const [WIDTH, HEIGHT] = [860, 150];
const time = { field: 'minute', type: 'quantitative', title: 'minutes' };

/** Latency, event-loop delay and memory over the run, with the flooded windows shaded, as an SVG file. */
export async function drawRun(run: Run, file: string): Promise<void> {
  await writeFile(file, await drawSvg(specification(run)));
}

function specification(run: Run): object {
  const shade = {
    data: {
      values: run.windows
        .filter(({ isFlooded }) => isFlooded)
        .map(({ from, until }) => ({ minute: from / 60_000, until: until / 60_000 })),
    },
    mark: { type: 'rect', color: '#f3d9a4', opacity: 0.45 },
    encoding: { x: time, x2: { field: 'until' } },
  };
  const processes = run.readings.map(({ at, name, memoryMb, loopDelayMs }) => ({
    minute: at / 60_000,
    process: name,
    memoryMb,
    loopDelayMs,
  }));
  const panel = (values: object[], field: string, title: string, series: string) => ({
    width: WIDTH,
    height: HEIGHT,
    layer: [
      shade,
      {
        data: { values },
        mark: { type: 'line', strokeWidth: 1.5 },
        encoding: {
          x: time,
          y: { field, type: 'quantitative', title },
          color: { field: series, type: 'nominal', title: null },
        },
      },
    ],
  });
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    title: 'Mixed visitors while rooms are staged; shaded: forged callbacks beside them',
    resolve: { scale: { color: 'independent' } },
    vconcat: [
      panel(slices(run), 'ms', 'latency (ms)', 'percentile'),
      panel(processes, 'loopDelayMs', 'event-loop delay p99 (ms)', 'process'),
      panel(processes, 'memoryMb', 'memory (MB)', 'process'),
    ],
  };
}

function slices({ samples }: Run): object[] {
  const bySlice = Map.groupBy(samples, ({ dueAt }) => Math.floor(dueAt / SLICE_MS));
  return [...bySlice].flatMap(([slice, those]) => {
    const times = those.map(({ tookMs }) => tookMs);
    return [0.5, 0.9, 0.99].map((share) => ({
      minute: (slice * SLICE_MS) / 60_000,
      ms: quantile(times, share),
      percentile: `p${share * 100}`,
    }));
  });
}
