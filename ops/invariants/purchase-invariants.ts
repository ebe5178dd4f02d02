import { failureCategory } from '../../machines/failure-classes.ts';
import { hasShape } from '../../machines/framing.ts';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { PURCHASE_KINDS } from '../../machines/purchase-kinds.ts';
import type { CountedStart } from '../../machines/staging-job.ts';
import { isFinalState } from '../../machines/step.ts';
import type { ProviderAttemptActor } from '../../persistence/actors/rows/attempt-row.ts';
import { START_WINDOW_MS } from '../../persistence/actors/start-rate.ts';
import {
  attemptsOf,
  each,
  type Invariant,
  type PipelineState,
  repeated,
  singlesOf,
} from './pipeline-state.ts';

const over = (attempt: ProviderAttemptActor) => isFinalState(providerAttemptMachine, attempt.state);

/** Attempt 1 ended in a way that allows a second purchase (docs/contract.md#failures). */
function allowsAnother({ state, context }: ProviderAttemptActor): boolean {
  if (state === 'LOST') return context.unconfirmedCause === 'transport';
  return (
    state === 'FAILED' && context.errorCode !== null && failureCategory(context.errorCode) !== 'permanent'
  );
}

const ATTEMPTS_ALLOWED = Object.values(PURCHASE_KINDS)
  .map(({ type, attempts }) => `when '${type}' then ${attempts}`)
  .join(' ');

export const PURCHASE_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    sentence: 'A job has at most two attempts, numbered 1 and 2, and that of a text has one.',
    when: 'always',
    sql: `
      select format('job %s has %s attempts', j.id, count(*)) from ai_provider_attempts a
      join ai_jobs j on j.id = a."aiJobId" group by j.id
      having count(*) > case j.type ${ATTEMPTS_ALLOWED} end or max(a."attemptNumber") <> count(*)`,
    breaches: (state) =>
      each(state.jobs, ({ id, context: { attemptsAllowed } }) => {
        const numbers = attemptsOf(state, id).map(({ context }) => context.attemptNumber);
        return numbers.some((number, index) => number !== index + 1) || numbers.length > attemptsAllowed
          ? `job ${id} has attempts ${numbers.join(', ')}`
          : null;
      }),
  },
  {
    id: 'I2',
    sentence: 'The provider accepted at most one create per attempt.',
    when: 'always',
    sql: null,
    breaches: ({ world }) =>
      repeated((world?.purchases ?? []).map(({ attemptId }) => attemptId)).map(
        (attemptId) => `attempt ${attemptId} was bought twice`,
      ),
  },
  {
    id: 'I3',
    sentence: 'Every accepted create belongs to one attempt that was claimed for sending before.',
    when: 'always',
    sql: null,
    breaches: ({ world, journal }) =>
      each(world?.purchases ?? [], ({ attemptId, journalPosition }) => {
        const claimed = (journal.get(attemptId) ?? []).some(
          ({ event, position }) => event.type === 'SEND_CLAIMED' && position < journalPosition,
        );
        return claimed || world?.forgottenClaims?.has(attemptId)
          ? null
          : `attempt ${attemptId} was bought without a claim`;
      }),
  },
  {
    id: 'I4',
    sentence:
      'Attempt 2 exists only after attempt 1 ended in a way that may pass, and was not collected for an operator.',
    when: 'always',
    sql: `
      select format('attempt 2 of job %s follows %s %s', second."aiJobId", first.status, first."errorCode")
      from ai_provider_attempts second
      left join ai_provider_attempts first on first."aiJobId" = second."aiJobId" and first."attemptNumber" = 1
      where second."attemptNumber" = 2 and (not coalesce(case first.status
        when 'LOST' then first."unconfirmedCause" = 'transport'
        when 'FAILED' then first."errorCategory" <> 'permanent' end, false)
        or exists (select from actor_transitions t where t."actorKind" = 'providerAttempt'
          and t."actorId" = first.id and t."eventType" = 'COLLECT_ASKED'))`,
    breaches: (state) =>
      each(state.attempts, (attempt) => {
        if (attempt.context.attemptNumber !== 2) return null;
        const [first] = attemptsOf(state, attempt.jobId);
        const journal = state.journal.get(first?.id ?? '') ?? [];
        const isCollected = journal.some(({ event }) => event.type === 'COLLECT_ASKED');
        return first && over(first) && allowsAnother(first) && !isCollected
          ? null
          : `attempt 2 of job ${attempt.jobId} follows ${first?.state} ${first?.context.errorCode}`;
      }),
  },
  {
    id: 'I5',
    sentence: 'A prediction id never changes once set, and no two attempts share one.',
    when: 'always',
    sql: `
      select format('attempt %s was given %s and holds %s', a.id, f.given, a."providerPredictionId")
      from ai_provider_attempts a cross join lateral (
        select event->>'predictionId' as given from actor_transitions
        where "actorKind" = 'providerAttempt' and "actorId" = a.id
          and "eventType" in ('PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED')
        order by seq limit 1) f
      where f.given is distinct from a."providerPredictionId"
      union all
      select format('prediction %s belongs to two attempts', "providerPredictionId") from ai_provider_attempts
      where "providerPredictionId" is not null group by "providerPredictionId" having count(*) > 1`,
    breaches: (state) => [
      ...repeated(state.attempts.flatMap(({ context }) => context.providerPredictionId ?? [])).map(
        (predictionId) => `prediction ${predictionId} belongs to two attempts`,
      ),
      ...each(state.attempts, (attempt) => firstIdDiffers(state, attempt)),
    ],
  },
  {
    id: 'I6',
    sentence: 'A job has at most one staged image.',
    when: 'always',
    sql: `
      select format('job %s has two images', "aiJobId") from property_images
      where "aiJobId" is not null group by "aiJobId" having count(*) > 1`,
    breaches: (state) =>
      repeated(singlesOf(state, 'imageReview').flatMap(({ jobId }) => jobId ?? [])).map(
        (jobId) => `job ${jobId} has two images`,
      ),
  },
  {
    id: 'I35',
    sentence: 'The text of a job is the one that its attempt has stored, as the journal has it.',
    when: 'always',
    sql: `
      select format('the text of job %s is not the one that attempt %s has stored', a."aiJobId", a.id)
      from ai_description_jobs d join ai_provider_attempts a on a."aiJobId" = d."aiJobId"
      cross join lateral (
        select max(event->>'text') filter (where "eventType" = 'TEXT_STORED') as text
        from actor_transitions where "actorKind" = 'providerAttempt' and "actorId" = a.id
        having bool_and("eventType" <> 'MIGRATED')) stored
      where d.text is distinct from stored.text`,
    breaches: (state) =>
      state.jobs
        .filter(({ kind }) => kind === 'descriptionJob')
        .flatMap((job) =>
          each(attemptsOf(state, job.id), ({ id }) => {
            const journal = state.journal.get(id) ?? [];
            // The journal of a migrated actor does not contain its text.
            if (journal.length === 0 || journal.some(({ event }) => event.type === 'MIGRATED')) return null;
            const stored = journal.find(({ event }) => event.type === 'TEXT_STORED')?.event;
            const { text } = (stored ?? {}) as { text?: string };
            return text === state.texts.get(job.id)
              ? null
              : `the text of job ${job.id} is not the one that attempt ${id} has stored`;
          }),
        ),
  },
  {
    id: 'I38',
    sentence:
      'A stored output has the shape that its job asked for, within 1 %, and every purchase asked for one.',
    when: 'always',
    sql: `
      select format('attempt %s has brought %sx%s for %s', a.id, a."outputWidth", a."outputHeight",
        coalesce(s."aspectRatio", 'no shape'))
      from ai_provider_attempts a join ai_room_staging_jobs s on s."aiJobId" = a."aiJobId"
      cross join lateral (select split_part(s."aspectRatio", ':', 1)::int as across,
        split_part(s."aspectRatio", ':', 2)::int as down) ratio
      where (a."providerPredictionId" is not null and s."aspectRatio" is null)
        or abs(a."outputWidth" * down - a."outputHeight" * across) * 100 > a."outputHeight" * across`,
    breaches: ({ jobs, attempts }) => {
      const asked = new Map(jobs.map((job) => [job.id, job]));
      return each(attempts, ({ id, jobId, context }) => {
        const job = asked.get(jobId);
        if (job?.kind !== 'stagingJob') return null;
        const { aspectRatio } = job.details;
        const { providerPredictionId, outputWidth: width, outputHeight: height } = context;
        const isRight =
          aspectRatio === null
            ? providerPredictionId === null
            : width === null || height === null || hasShape({ width, height }, aspectRatio);
        return isRight
          ? null
          : `attempt ${id} has brought ${width}x${height} for ${aspectRatio ?? 'no shape'}`;
      });
    },
  },
  {
    id: 'I32',
    sentence: 'In no interval of 60 s more purchases began than the start rate allows.',
    when: 'always',
    sql: `
      select format('%s purchases began in the 60 s up to %s, allowed are %s', began, to_timestamp(at / 1000), allowed)
      from (
        select at, count(*) over minute as began, max("perMinute") over minute as allowed
        from (
          select (event->'started'->>'at')::float8 as at, (event->'started'->>'perMinute')::int as "perMinute"
          from actor_transitions
          where "actorKind" = 'stagingJob' and "eventType" in ('WORKER_STARTED', 'RETRY_DUE') and event ? 'started'
        ) started
        window minute as (order by at range between ${START_WINDOW_MS - 1} preceding and current row)
      ) counted
      where began > allowed`,
    breaches: ({ journal }) => {
      const starts = [...journal.values()]
        .flat()
        .flatMap(({ event }) => (event as { started?: CountedStart }).started ?? [])
        .sort((a, b) => a.at - b.at);
      return each(starts, ({ at }) => {
        const minute = starts.filter((start) => start.at > at - START_WINDOW_MS && start.at <= at);
        const allowed = Math.max(...minute.map(({ perMinute }) => perMinute));
        return minute.length > allowed
          ? `${minute.length} purchases began in the 60 s up to ${at}, allowed are ${allowed}`
          : null;
      });
    },
  },
];

const BEARERS = new Set(['PREDICTION_CREATED', 'PREDICTION_FOUND', 'CALLBACK_RECEIVED']);

function firstIdDiffers({ journal }: PipelineState, { id, context }: ProviderAttemptActor): string | null {
  const first = (journal.get(id) ?? []).find(({ event }) => BEARERS.has(event.type));
  const { predictionId } = (first?.event ?? {}) as { predictionId?: string };
  if (predictionId === undefined || predictionId === context.providerPredictionId) return null;
  return `attempt ${id} was given ${predictionId} and holds ${context.providerPredictionId}`;
}
