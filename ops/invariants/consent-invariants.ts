import { AGENTS_WITHOUT_CONSENT, BROKEN_LOG } from '../../persistence/console/invariant-sql.ts';
import type { Invariant } from './pipeline-state.ts';

export const CONSENT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I50',
    sentence: "No one became a listing's owner or agent without accepting an offer.",
    when: 'always',
    sql: AGENTS_WITHOUT_CONSENT,
    // A PipelineState does not contain people.
    breaches: () => [],
  },
];

export const LOG_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I51',
    sentence:
      'Every entry of the provenance log names the head before it and holds as many records as it says.',
    when: 'always',
    sql: BROKEN_LOG,
    // A PipelineState does not contain the log.
    breaches: () => [],
  },
];
