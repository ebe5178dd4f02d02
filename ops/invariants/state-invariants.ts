import { isDeepStrictEqual } from 'node:util';
import { type ReplayedEntry, replayJournal } from '../../machines/journal-replay.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { type ActorState, finalStatesOf, isFinalState } from '../../machines/step.ts';
import {
  ACTIVE_JOB_STATUSES,
  FINAL_ATTEMPT_STATUSES,
  FINAL_JOB_STATUSES,
} from '../../machines/vocabulary.ts';
import type { AnyActor } from '../../persistence/actors/actor-kinds.ts';
import { ACTOR_KINDS, definitionOf, KIND_NAMES } from '../../persistence/actors/actor-kinds.ts';
import type { JobActor } from '../../persistence/actors/rows/job-row.ts';
import { oneOf } from '../../persistence/database/sql-values.ts';
import {
  attemptsOf,
  each,
  type Invariant,
  type PipelineState,
  type PositionedEntry,
  repeated,
  singlesOf,
} from './pipeline-state.ts';

const ENDED = new Set<string>(FINAL_JOB_STATUSES);

/** Kinds whose versions are the numbers of their journal rows. */
const COUNTED = KIND_NAMES.filter((kind) => !('sharesVersion' in ACTOR_KINDS[kind]));
/** Every actor of these kinds with its version. */
const ACTORS = COUNTED.map((kind) => {
  const { rows, endedAt } = definitionOf(kind);
  const ended = endedAt === undefined ? 'null::timestamptz' : `t."${endedAt}"`;
  return `select '${kind}' as kind, t.id, ${rows.version} as version, ${ended} as ended from ${rows.from} where ${rows.base}`;
}).join(' union all ');
const FINAL_STATES = KIND_NAMES.map(
  (kind) =>
    `when '${kind}' then array[${finalStatesOf(ACTOR_KINDS[kind].machine)
      .map((state) => `'${state}'`)
      .join(', ')}]::text[]`,
).join(' ');
/** The journal of an actor that ended before this has been removed, or may be at any time. */
const KEPT_SINCE = `(select before from retention_cuts where what = 'journal')`;
/** Jobs that ended before attempts had separate rows. */
const MIGRATED = `
  select from actor_transitions t where t."actorId" = j.id and t."eventType" = 'MIGRATED'`;

const actorsOf = (state: PipelineState): AnyActor[] => [...state.jobs, ...state.attempts, ...state.singles];

export const STATE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I8',
    sentence: "An actor's version is the number of its journal rows, which have no gaps.",
    when: 'always',
    sql: `
      select format('%s %s at version %s has %s journal rows up to %s', actor.kind, actor.id, actor.version,
        count(t.seq), max(t.seq))
      from (${ACTORS}) actor
      left join actor_transitions t on t."actorKind" = actor.kind and t."actorId" = actor.id
      group by actor.kind, actor.id, actor.version, actor.ended
      having (count(t.seq) <> actor.version or coalesce(max(t.seq), 0) <> actor.version)
        and not (count(t.seq) = 0 and coalesce(actor.ended < ${KEPT_SINCE}, false))`,
    breaches: (state) =>
      each(actorsOf(state), (actor) => {
        if (isKeptNoLonger(state, actor)) return null;
        const { kind, id, version } = actor;
        const seqs = (state.journal.get(id) ?? []).map(({ seq }) => seq);
        const whole = seqs.length === version && seqs.every((seq, index) => seq === index + 1);
        return whole ? null : `${kind} ${id} at version ${version} has journal rows ${seqs.join(', ')}`;
      }),
  },
  {
    id: 'I9',
    sentence: "Replaying the journal through the machine gives the row's state.",
    when: 'always',
    sql: null,
    breaches: (state) =>
      each(actorsOf(state), (actor) => {
        if (isKeptNoLonger(state, actor)) return null;
        const replayed = replay(actor, state.journal.get(actor.id) ?? []);
        if (typeof replayed === 'string') return replayed;
        return isDeepStrictEqual(replayed, { state: actor.state, context: actor.context })
          ? null
          : `${actor.kind} ${actor.id} is ${actor.state}, its journal says ${replayed.state}`;
      }),
  },
  {
    id: 'I10',
    sentence:
      'A final state never changes, except when an operator has a picture collected that was refused for its host.',
    when: 'always',
    sql: `
      select format('%s %s left %s for %s', "actorKind", "actorId", "fromState", "toState")
      from actor_transitions
      where "toState" <> "fromState" and "fromState" = any (case "actorKind" ${FINAL_STATES}
        else array[]::text[] end)
        and not ("eventType" = 'COLLECT_ASKED' and "fromState" = 'FAILED' and "actedBy" like 'operator:%')`,
    breaches: ({ journal }) =>
      each([...journal.values()].flat(), (entry) => {
        const { kind, id, from, to } = entry;
        return from !== null &&
          to !== from &&
          isFinalState(ACTOR_KINDS[kind].machine, from) &&
          !isCollectedAgain(entry)
          ? `${kind} ${id} left ${from} for ${to}`
          : null;
      }),
  },
  {
    id: 'I11',
    sentence: "A job's status follows from its attempts.",
    when: 'always',
    sql: `
      select format('job %s is %s with attempts %s', j.id, j.status, a.states)
      from ai_jobs j cross join lateral (
        select count(*) as count,
          count(*) filter (where status not in ${oneOf(FINAL_ATTEMPT_STATUSES)}) as live,
          count(*) filter (where status = 'SUCCEEDED') as succeeded,
          coalesce(string_agg(status::text, ', ' order by "attemptNumber"), 'none') as states
        from ai_provider_attempts where "aiJobId" = j.id) a
      where not case j.status
        when 'PENDING' then a.count = 0
        when 'PROCESSING' then a.live = 1 and a.succeeded = 0
        when 'RETRYING' then a.count = 1 and a.live = 0 and a.succeeded = 0
        when 'CANCEL_REQUESTED' then a.live <= 1 and a.succeeded = 0
        when 'SUCCESS' then a.live = 0 and (a.succeeded = 1 or j.version = 0 or exists (${MIGRATED}))
        else a.live = 0 and a.succeeded = 0 end`,
    breaches: (state) =>
      each(state.jobs, (job) => {
        const attempts = attemptsOf(state, job.id);
        const live = attempts.filter((one) => !isFinalState(providerAttemptMachine, one.state)).length;
        const succeeded = attempts.some((one) => one.state === 'SUCCEEDED');
        const expected = followsFrom(job.state.split('.')[0] ?? '', {
          count: attempts.length,
          live,
          succeeded,
        });
        const states = attempts.map((one) => one.state).join(', ') || 'none';
        return expected ? null : `job ${job.id} is ${job.state} with attempts ${states}`;
      }),
  },
  {
    id: 'I12',
    sentence:
      'One non-terminal job per original and style or listing and language, one variant per style that is not withdrawn.',
    when: 'always',
    sql: `
      select format('two jobs under way for %s', "dedupeKey") from ai_jobs
      where status in ${oneOf(ACTIVE_JOB_STATUSES)}
      group by "dedupeKey" having count(*) > 1
      union all
      select format('two live variants of %s %s', "styledFromId", "canonicalStyle") from property_images
      where "isStyled" and "canonicalStyle" is not null and "withdrawnAt" is null
      group by "styledFromId", "canonicalStyle" having count(*) > 1`,
    breaches: (state) => [
      ...repeated(state.jobs.filter(({ state }) => !ENDED.has(state)).flatMap(subjectOf)).map(
        (key) => `two jobs under way for ${key}`,
      ),
      ...repeated(
        singlesOf(state, 'imageReview').flatMap(({ state: review, styledFromId, canonicalStyle }) =>
          canonicalStyle === null || review === 'WITHDRAWN' ? [] : `${styledFromId} ${canonicalStyle}`,
        ),
      ).map((key) => `two live variants of ${key}`),
    ],
  },
];

/** The only way back from a final state; I9 checks what its machines require for it. */
const isCollectedAgain = ({ event, from, by }: PositionedEntry): boolean =>
  event.type === 'COLLECT_ASKED' && from === 'FAILED' && by.startsWith('operator:');

function followsFrom(
  status: string,
  { count, live, succeeded }: { count: number; live: number; succeeded: boolean },
): boolean {
  switch (status) {
    case 'PENDING':
      return count === 0;
    case 'PROCESSING':
      return live === 1 && !succeeded;
    case 'RETRYING':
      return count === 1 && live === 0 && !succeeded;
    case 'CANCEL_REQUESTED':
      return live <= 1 && !succeeded;
    case 'SUCCESS':
      return live === 0 && succeeded;
    default:
      return live === 0 && !succeeded;
  }
}

/** Its whole journal has been removed, because it ended longer ago than journals are kept. */
function isKeptNoLonger({ journal, journalKeptSince = null }: PipelineState, actor: AnyActor): boolean {
  if (journalKeptSince === null || (journal.get(actor.id) ?? []).length > 0) return false;
  const { context } = actor;
  const ended =
    'finishedAt' in context ? context.finishedAt : 'processedAt' in context ? context.processedAt : null;
  return ended !== null && ended < journalKeptSince;
}

/** The subject that may have only one job at a time. */
/** Texts of deleted listings no longer name theirs. */
function subjectOf({ kind, details }: JobActor): string[] {
  if (kind === 'stagingJob') return [`${details.originalImageId} ${details.canonicalStyle}`];
  return details.propertyId === null ? [] : [`${details.propertyId} ${details.locale}`];
}

/** Simulated runs look at the same journals several times. */
const reached = new WeakMap<ReplayedEntry, ActorState<unknown>>();

/** The state after replaying the journal, or what is wrong with it. Migrated rows begin in the state that they name. */
function replay(actor: AnyActor, entries: readonly PositionedEntry[]): ActorState<unknown> | string {
  const { kind, id } = actor;
  const { birth, states, fault } = replayJournal(ACTOR_KINDS[kind].machine, entries, actor, reached);
  if (fault !== null) return `${kind} ${id}: row ${fault.seq}: ${fault.why}`;
  return states.at(-1) ?? birth;
}
