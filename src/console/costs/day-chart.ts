import { html } from 'hono/html';
import type { DayOfCosts } from '../../../persistence/console/cost-queries.ts';
import type { Html } from '../layout.ts';
import { formatMicrousd } from './microusd.ts';

/** Pixels: never scaled, so that its text stays as large as the text around it. */
const WIDTH = 720;
const HEIGHT = 200;
const PLOT = { left: 64, right: WIDTH - 8, top: 12, bottom: HEIGHT - 28 };
const GAP = 2;
export const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The last `count` days up to and including that of `at`, oldest first, including days without a purchase. */
export function lastDays(days: readonly DayOfCosts[], at: number, count: number): DayOfCosts[] {
  const byDay = new Map(days.map((one) => [one.day, one]));
  return Array.from({ length: count }, (_, index) => {
    const day = dayOf(at - (count - 1 - index) * DAY_MS);
    return byDay.get(day) ?? { day, bought: 0, lost: 0, unpriced: 0, microusd: 0 };
  });
}

/** One bar per day, in the color of the surrounding text, so that it is legible on any background. */
export function dayChart(days: readonly DayOfCosts[]): Html {
  // Without any costs, the axis ends at one dollar.
  const most = Math.max(...days.map(({ microusd }) => microusd)) || 1_000_000;
  const step = (PLOT.right - PLOT.left) / days.length;
  const bars = days.map((day, index) => {
    const height = (day.microusd / most) * (PLOT.bottom - PLOT.top);
    const x = PLOT.left + index * step + GAP / 2;
    return html`<rect x="${x.toFixed(1)}" y="${(PLOT.bottom - height).toFixed(1)}" width="${(step - GAP).toFixed(1)}" height="${height.toFixed(1)}" fill="currentColor" fill-opacity="0.7"><title>${day.day}: ${formatMicrousd(day.microusd)}, ${day.bought} bought</title></rect>`;
  });
  const marks = [0, most / 2, most].map((value) => {
    const y = PLOT.bottom - (value / most) * (PLOT.bottom - PLOT.top);
    return html`<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y}" y2="${y}" stroke="currentColor" stroke-opacity="0.2"/><text x="${PLOT.left - 6}" y="${y + 4}" text-anchor="end" font-size="12" fill="currentColor">${formatMicrousd(Math.round(value))}</text>`;
  });
  const first = days.at(0)?.day ?? '';
  const last = days.at(-1)?.day ?? '';
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="Estimated cost of pictures bought, by day, from ${first} to ${last}">
    ${marks}${bars}
    <text x="${PLOT.left}" y="${HEIGHT - 8}" font-size="12" fill="currentColor">${first}</text>
    <text x="${PLOT.right}" y="${HEIGHT - 8}" text-anchor="end" font-size="12" fill="currentColor">${last}</text>
  </svg>`;
}
