import { formatTable } from '../../operate/text-table.ts';
import type { WorkerEvent } from './platform.ts';
import type { TransitionRecord } from './records.ts';

const ACTORS: Record<string, string> = {
  stagingJob: 'job',
  providerAttempt: 'attempt',
  imageReview: 'review',
};

/** The shown fields of a worker event, in this order. */
const TOLD = ['attemptNumber', 'status', 'errorCode', 'format', 'width', 'height', 'bytes', 'processingMs'];

/** The timeline of one job: the journal's steps and the worker's events, in order of time. */
export function timelineOf(
  journal: readonly TransitionRecord[],
  events: readonly WorkerEvent[],
  startedAt: number,
): string[] {
  const steps = journal.map((step) => ({
    at: step.at,
    cells: [
      ACTORS[step.actorKind] ?? step.actorKind,
      step.eventType,
      step.actedBy.slice(0, 15),
      step.fromState === step.toState
        ? `stays ${step.toState}`
        : `${step.fromState ?? '·'} → ${step.toState}`,
    ],
  }));
  const logged = events.map((event) => ({
    at: event.at,
    cells: ['log', event.event, `process ${event.pid}`, formatFields(event.fields)],
  }));
  // The sort is stable: at the same millisecond the step that caused an event comes before it.
  const rows = [...steps, ...logged]
    .sort((a, b) => a.at - b.at)
    .map(({ at, cells }) => [`+${((at - startedAt) / 1000).toFixed(2)} s`, ...cells]);
  return formatTable(['Time', 'Who', 'Event', 'By', 'From → to, or what it says'], rows, { right: [0] });
}

function formatFields(fields: Record<string, unknown>): string {
  return TOLD.filter((name) => fields[name] !== undefined && fields[name] !== null)
    .map((name) => `${name} ${fields[name]}`)
    .join(', ');
}

/** The fields of a search document by name, one per line; its lists at the end, expanded. */
export function formatDocument(document: Record<string, string>): string[] {
  const names = Object.keys(document).sort();
  const width = Math.max(0, ...names.map((name) => name.length));
  const plain = names.filter((name) => !isList(document[name]));
  const lists = names.filter((name) => isList(document[name]));
  return [
    ...plain.map((name) => `${name.padEnd(width)}  ${document[name] || '–'}`),
    ...lists.flatMap((name) => {
      const items = JSON.parse(document[name] ?? '[]') as unknown[];
      return [`${name.padEnd(width)}  ${items.length}`, ...items.map((item) => `    ${formatItem(item)}`)];
    }),
  ];
}

/** The hash contains lists as JSON (docs/contract.md#search-documents). */
function isList(value: string | undefined): boolean {
  return value?.startsWith('[') === true && value.endsWith(']');
}

function formatItem(item: unknown): string {
  if (typeof item !== 'object' || item === null || !('isStyled' in item)) return String(item);
  const { url, isStyled, disclosureLabel } = item as Record<string, unknown>;
  const label = disclosureLabel === null ? '' : `  "${disclosureLabel}"`;
  return `${isStyled === true ? 'staged  ' : 'original'}  ${url}${label}`;
}
