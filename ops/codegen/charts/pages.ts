import type { AnyStateMachine } from 'xstate';
import { activityOf, descriptionOf, isFinalState } from '../../../machines/step.ts';
import type { Move } from '../../../src/console/chart/drawing.ts';
import { CHARTS, type Chart } from './chart-list.ts';
import { eventsBetween, initialLeaf, leavesOf, movesOf, nameOf, OTHERWISE } from './machine-moves.ts';

/**
 * Every page of `docs/charts/` by its file name: one per machine, with its picture, states and transitions, and an
 * index.
 */
export function drawPages(charts: readonly Chart[] = CHARTS): Map<string, string> {
  const pages = new Map(charts.map((chart) => [fileName(chart), drawPage(chart)]));
  return pages.set('README.md', drawIndex(charts));
}

function drawIndex(charts: readonly Chart[]): string {
  const rows = charts.map((chart) => [
    `[${chart.title}](${fileName(chart)})`,
    chart.row,
    String(leavesOf(chart.machine.root).length),
    String(movesOf(chart.machine).length),
  ]);
  return page(
    'State charts',
    `Drawn by \`npm run charts\` from the machines; never by hand. A machine's state is the status of its row, so what
stands here is what an operator finds in the database. How an event travels: \`ARCHITECTURE.md\`.`,
    table(['Chart', 'State is kept in', 'States', 'Transitions'], rows),
  );
}

function drawPage(chart: Chart): string {
  const { machine, title, source, row } = chart;
  const states = leavesOf(machine.root).map(nameOf);
  const moves = movesOf(machine);
  return page(
    title,
    `Drawn by \`npm run charts\` from \`${source}\`; never by hand. The state is kept in ${row}.`,
    picture(machine, { states, moves }),
    '## States',
    table(
      ['State', 'Meaning', 'Activity', 'Final'],
      states.map((state) => [
        `\`${state}\``,
        descriptionOf(machine, state),
        code(activityOf(machine, state)),
        isFinalState(machine, state) ? 'yes' : '',
      ]),
    ),
    '## Transitions',
    'The first row whose condition holds is taken; an event without a row is ignored. What is ordered is written in the same transaction.',
    table(
      ['From', 'Event', 'If', 'To', 'Effects'],
      moves.map(({ from, event, guard, to, effects }) => [
        `\`${from}\``,
        `\`${event}\``,
        guard === '' || guard === OTHERWISE ? guard : code(guard),
        from === to ? 'stays' : `\`${to}\``,
        effects.map(code).join(', '),
      ]),
    ),
  );
}

/**
 * Mermaid draws no arrow between the inner states of two outer ones, so every state is drawn with its full name.
 * Transitions without a change of state would clutter the picture; the table has them.
 */
function picture(machine: AnyStateMachine, { states, moves }: { states: string[]; moves: Move[] }): string {
  const arrows = new Map(
    moves
      .filter(({ from, to }) => from !== to)
      .map(({ from, to }) => [
        `${idOf(from)} --> ${idOf(to)}`,
        eventsBetween(moves, from, to).map(({ event, guard }) =>
          guard === '' ? event : `${event} (${guard})`,
        ),
      ]),
  );
  const lines = [
    ...states.map((state) => `state "${state}" as ${idOf(state)}`),
    `[*] --> ${idOf(nameOf(initialLeaf(machine.root)))}`,
    ...[...arrows].map(([arrow, events]) => `${arrow} : ${events.join('<br/>')}`),
    ...states.filter((state) => isFinalState(machine, state)).map((state) => `${idOf(state)} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

const idOf = (state: string): string => state.replaceAll('.', '_');
const fileName = ({ name }: Chart): string => `${name}.md`;
const code = (text: string | null): string => (text === null ? '' : `\`${text}\``);
const page = (title: string, ...parts: string[]): string => `${[`# ${title}`, ...parts].join('\n\n')}\n`;
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
