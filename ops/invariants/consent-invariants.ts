import { AGENTS_WITHOUT_CONSENT } from '../../persistence/console/invariant-sql.ts';
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
