import {
  AGENTS_WITHOUT_CONSENT,
  ALERTS_OVERDUE,
  BROKEN_LOG,
  CHANGES_OUT_OF_ORDER,
  EVENTS_TOLD_TWICE,
  PHOTOS_AGAINST_THEIR_CHECK,
} from '../../persistence/console/invariant-sql.ts';
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

export const INTAKE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I42',
    sentence:
      'No photo that was found to be a staged picture is shown as a photo; every other one has a verdict, or waits for it and is private.',
    when: 'always',
    sql: PHOTOS_AGAINST_THEIR_CHECK,
    // A PipelineState does not contain checks of photos.
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

export const ALERT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I52',
    sentence: 'No event of a home is in two alerts of one search, or of the saved homes of one person.',
    when: 'always',
    sql: EVENTS_TOLD_TWICE,
    // A PipelineState does not contain alerts.
    breaches: () => [],
  },
  {
    id: 'I53',
    sentence:
      'Every event with instant alerts is in an alert within five minutes, and a price within fifteen.',
    when: 'quiet',
    sql: ALERTS_OVERDUE,
    breaches: () => [],
  },
];

export const CHANGE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I49',
    sentence:
      'Numbers and times of changes in the feed rise together and become visible in their order, and what became private is numbered within a minute.',
    when: 'quiet',
    sql: CHANGES_OUT_OF_ORDER,
    // A PipelineState does not contain the feed.
    breaches: () => [],
  },
];
