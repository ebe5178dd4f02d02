import {
  NOT_YET_DURABLE,
  type OperationInfo,
  type Outcome,
  type Preview,
} from '../../src/operations/operation.ts';

/** The effect of an operation, before or after it, for a terminal. */
export function formatPreview({ id, kind, outcome, version, from, to, effects, why }: Preview): string {
  if (outcome === 'missing') return `${id}\n  ${why}`;
  const lines = [`${kind} ${id}, version ${version}`, `  is      ${from?.state}: ${from?.sentence}`];
  if (outcome === 'ignored') return [...lines, `  nothing would change. ${why}`].join('\n');
  const stays = to?.state === from?.state;
  return [
    ...lines,
    `  ${stays ? 'stays' : 'becomes'} ${to?.state}${stays ? '' : `: ${to?.sentence}`}`,
    ...effects.map((effect) => `          ${effect}`),
  ].join('\n');
}

export function formatOutcome(result: Outcome): string {
  const { id, outcome, state, version, why, isDurable } = result;
  const warning = isDurable ? '' : `\n${NOT_YET_DURABLE}`;
  if (outcome === 'applied') return `done: ${id} is ${state} at version ${version}${warning}`;
  if (outcome === 'missing') return `not done: ${id}. ${why}`;
  return `not done: ${id} is ${state}. ${why}${warning}`;
}

export function helpOf({ name, title, sentence, forceMeans, bulk, onlyId }: OperationInfo): string {
  const who = onlyId === null ? ' --id ID' : '';
  const selectors = Object.entries(bulk?.selectors ?? {}).map(
    ([selector, values]) =>
      `  --${selector.padEnd(12)} ${values ? values.join(', ') : 'such as 90s, 30m, 2h or 7d'}`,
  );
  return [
    `Usage: npm run ops -- ${name}${who} --reason "…" [--by NAME]${forceMeans ? ' [--force]' : ''} [--dry-run]`,
    ...(bulk ? [`       npm run ops -- ${name} --all … --reason "…"`] : []),
    '',
    `${title}. ${sentence}`,
    '',
    ...(onlyId === null ? ['  --id           may be given several times'] : []),
    '  --reason       why, 3 to 500 characters; stands in the journal with the name',
    '  --by           the name, else that of the system user',
    ...(forceMeans ? [`  --force        ${forceMeans}`] : []),
    '  --dry-run      only shows what it would do',
    ...(bulk ? ['', `  --all          ${bulk.sentence}`, ...selectors] : []),
    '',
  ].join('\n');
}
