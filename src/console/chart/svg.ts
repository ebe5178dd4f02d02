import { html, raw } from 'hono/html';
import { grouped } from '../labels.ts';
import type { Html } from '../layout.ts';
import type { Drawing, DrawnEdge, DrawnState, Point } from './drawing.ts';

/** Optional additions to the chart of a machine. */
export interface Highlights {
  /** How many actors are in a state; null shows no counts. */
  counts?: ReadonlyMap<string, number> | null;
  /** The state that an actor is in. */
  present?: string | null;
  /** The states that it has been in, in order; the present one is last. */
  path?: readonly Stay[];
  /** The link of a state. */
  href?(state: string): string;
}

/** A state that an actor entered, and at which step; step 0 is its creation. */
export interface Stay {
  state: string;
  step: number;
}

const CORNER = 7;
/** Placed next to the last letter: a mark must not cover the name. */
const MARK_RADIUS = 8;
const MARKS_SHOWN = 3;

/**
 * A machine's chart as SVG. All styles are classes, because the page's policy forbids inline styles. Tables next to
 * it contain the same data, so for a screen reader it is one picture (or, with links, a group of them).
 */
export function chartSvg(drawing: Drawing, highlights: Highlights = {}): Html {
  const { width, height, title, kind, groups, states, edges, begin } = drawing;
  const { path = [] } = highlights;
  const entered = stepsBy(path, ({ state }) => state);
  const taken = stepsBy(path.slice(1), ({ state }, index) => moveKey(path[index]?.state ?? '', state));
  const linked = highlights.href !== undefined;
  const present = highlights.present ? `, now in ${highlights.present}` : '';
  return html`<div class="chart scroll" tabindex="0" role="group" aria-label="Chart of the ${title.toLowerCase()}${present}">
    <svg class="machine" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="${linked ? 'group' : 'img'}" aria-label="${title}${present}">
      <defs>${['', '-taken'].map((suffix) => arrowHead(`${kind}${suffix}`, suffix === '' ? 'head' : 'head taken'))}</defs>
      ${groups.map(
        (group) => html`<g class="group">
        <rect x="${group.x}" y="${group.y}" width="${group.width}" height="${group.height}" rx="14"></rect>
        <text x="${group.x + 14}" y="${group.y + 21}">${group.name}</text>
      </g>`,
      )}
      <circle class="begin" cx="${begin.x}" cy="${begin.y}" r="6"></circle>
      <path class="edge" d="${pathThrough(begin.points)}" marker-end="url(#${kind})"></path>
      ${edges.map((edge) => edgeLine(edge, { kind, order: taken.get(moveKey(edge.from, edge.to)) }))}
      ${edges.map((edge) => edgeLabel(edge, taken.has(moveKey(edge.from, edge.to))))}
      ${states.map((state) => stateBox(state, { ...highlights, order: entered.get(state.name) }))}
    </svg>
  </div>`;
}

/** The legend of the chart. */
export function chartLegend({ actor }: { actor: boolean }): Html {
  const meanings = actor
    ? [
        ['present', 'present state'],
        ['visited', 'was here; the numbers are the steps'],
        ['final', 'final'],
      ]
    : [
        ['counted', 'actors in the state'],
        ['final', 'final'],
      ];
  return html`<ul class="legend">${meanings.map(([name, meaning]) => html`<li><span class="swatch ${name}"></span>${meaning}</li>`)}</ul>`;
}

const moveKey = (from: string, to: string): string => `${from} ${to}`;

/** At which steps each state was entered, or each line was used. */
function stepsBy(
  stays: readonly Stay[],
  keyOf: (stay: Stay, index: number) => string,
): Map<string, number[]> {
  const groups = Map.groupBy(stays, keyOf);
  return new Map([...groups].map(([key, group]) => [key, group.map(({ step }) => step)]));
}

function arrowHead(id: string, className: string): Html {
  return html`<marker id="${id}" class="${className}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M 0 1 L 9 5 L 0 9 z"></path></marker>`;
}

function edgeLine(
  { from, to, points }: DrawnEdge,
  { kind, order }: { kind: string; order: number[] | undefined },
): Html {
  const head = order === undefined ? kind : `${kind}-taken`;
  return html`<path class="edge${order === undefined ? '' : ' taken'}" d="${pathThrough(points)}" marker-end="url(#${head})"><title>${from} to ${to}${order === undefined ? '' : `, step ${order.join(', ')}`}</title></path>`;
}

function edgeLabel({ label }: DrawnEdge, taken: boolean): Html {
  return html`<text class="event${taken ? ' taken' : ''}" x="${label.x + 3}" y="${label.y}">${label.lines.map(
    (line, index) => html`<tspan x="${label.x + 3}" y="${label.y + 12 + index * 14}">${line}</tspan>`,
  )}</text>`;
}

function stateBox(
  state: DrawnState,
  { counts, present, href, order }: Highlights & { order: number[] | undefined },
): Html {
  const { x, y, width, height, name, label, sentence, activity, final } = state;
  const classes = ['state'];
  if (final) classes.push('final');
  if (order !== undefined) classes.push('visited');
  if (name === present) classes.push('present');
  const count = counts?.get(name) ?? 0;
  if (counts && count > 0) classes.push('counted');
  const middle = x + width / 2;
  const box = html`<g class="${classes.join(' ')}">
    <title>${name}: ${sentence}</title>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${final ? 23 : 10}"></rect>
    ${final ? html`<rect class="inner" x="${x + 4}" y="${y + 4}" width="${width - 8}" height="${height - 8}" rx="19"></rect>` : ''}
    <text class="name" x="${middle}" y="${y + (activity === null ? height / 2 + 4.5 : 20)}">${label}</text>
    ${activity === null ? '' : html`<text class="effect" x="${middle}" y="${y + 36}">${activity}</text>`}
    ${counts && count > 0 ? countPill(state, count) : ''}
    ${order === undefined ? '' : stepMarks(state, order)}
  </g>`;
  return href === undefined ? box : html`<a href="${href(name)}">${box}</a>`;
}

/** At the top right corner. */
function countPill({ x, y, width }: DrawnState, count: number): Html {
  const text = grouped(count);
  const pill = text.length * 7 + 12;
  const left = x + width - pill + 6;
  return html`<g class="count"><rect x="${left}" y="${y - 9}" width="${pill}" height="18" rx="9"></rect><text x="${left + pill / 2}" y="${y + 4}">${text}</text></g>`;
}

/** At the top left corner, the first few; a tooltip lists all. */
function stepMarks({ x, y }: DrawnState, order: number[]): Html {
  const shown =
    order.length > MARKS_SHOWN ? [...order.slice(0, MARKS_SHOWN - 1).map(String), '…'] : order.map(String);
  return html`<g class="steps"><title>Step ${order.join(', ')}</title>${shown.map((text, index) => {
    const middle = x + 4 + index * (MARK_RADIUS * 2 + 1);
    return html`<circle cx="${middle}" cy="${y}" r="${MARK_RADIUS}"></circle><text x="${middle}" y="${y + 3.5}">${text}</text>`;
  })}</g>`;
}

/** A line through the points with rounded corners. Only numbers from the drawing are written into it. */
export function pathThrough(points: readonly Point[]): Html {
  const [first, ...rest] = points;
  if (first === undefined) return raw('');
  const parts = [`M ${first.x} ${first.y}`];
  rest.forEach((point, index) => {
    const before = points[index] ?? first;
    const after = rest[index + 1];
    if (after === undefined) parts.push(`L ${point.x} ${point.y}`);
    else {
      const cornerFrom = towards(point, before);
      const cornerTo = towards(point, after);
      parts.push(`L ${cornerFrom.x} ${cornerFrom.y} Q ${point.x} ${point.y} ${cornerTo.x} ${cornerTo.y}`);
    }
  });
  return raw(parts.join(' '));
}

/** The point at a corner's length from `from` towards `to`, or half-way when that is shorter. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  const share = Math.min(CORNER, length / 2) / length;
  const round = (value: number) => Math.round(value * 2) / 2;
  return { x: round(from.x + (to.x - from.x) * share), y: round(from.y + (to.y - from.y) * share) };
}
