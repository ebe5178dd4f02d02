import type { Translator } from '../../i18n/translator.ts';
import type { Market } from '../../machines/disclosure/profile.ts';
import type { DisclosureListing } from '../../persistence/images/disclosure-pictures.ts';
import type { LogEntry } from '../../persistence/images/provenance-log.ts';
import { toCheck } from '../wire/disclosure.ts';

interface ReadmeFacts {
  readonly listing: DisclosureListing;
  readonly market: Market;
  readonly words: Translator;
  /** The latest entry of the provenance log, printed so that the holder of an export can check the log; null before the first. */
  readonly logEntry: LogEntry | null;
  readonly publicBaseUrl: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What stands in the README of an export: the market, what it asks, where that was read, and what is left to do. */
export function readmeText({ listing, market, words, at, logEntry, publicBaseUrl }: ReadmeFacts): string {
  const check = toCheck(listing, { market, at, words, followsFromAddress: false });
  const { t } = words;
  const asked = check.requirements.flatMap(({ text, state, confirmedAt, howToMeet, source, lastRead }) => [
    `- ${text}`,
    `  ${stateWords({ state, confirmedAt }, words)}`,
    ...(howToMeet === null ? [] : [`  ${howToMeet}`]),
    `  ${source.rule}`,
    `  ${t('disclosure.readme.source', {
      source: [source.page, source.host].filter((part) => part !== null).join(', '),
      kind: t(`disclosure.source.${source.kind}`),
      lastRead,
    })}`,
  ]);
  const notes = [
    ...(check.isInForce ? [] : [t('disclosure.notInForce', { date: check.effectiveFrom ?? '' })]),
    ...(check.stale ? [t('disclosure.stale')] : []),
    ...(check.caveat === null ? [] : [check.caveat]),
  ];
  return `${[
    t('disclosure.readme.title', { market: check.name }),
    t('disclosure.readme.made', { day: new Date(at).toISOString().slice(0, 10) }),
    '',
    check.notLegalAdvice,
    ...notes,
    '',
    t('disclosure.readme.asked'),
    ...asked,
    '',
    t('disclosure.readme.files'),
    ...(logEntry === null ? [] : ['', t('disclosure.readme.log', logWords(logEntry, publicBaseUrl))]),
  ].join('\n')}\n`;
}

/** Whether it is met, and the day of an agent's word. */
function stateWords(
  { state, confirmedAt }: { state: string; confirmedAt: string | null },
  { t }: Translator,
): string {
  const word = t(`studio.disclosure.state.${state}`);
  return confirmedAt === null ? word : `${word} (${confirmedAt.slice(0, 10)})`;
}

const logWords = ({ number, day, head }: LogEntry, publicBaseUrl: string) => ({
  number,
  day,
  head,
  address: `${publicBaseUrl}/provenance/log`,
});
