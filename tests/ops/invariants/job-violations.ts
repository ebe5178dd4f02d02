import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import type { JobName, Life } from '../../support/worlds/life.ts';
import { dropCheck, dropIndex, journalRow, type SeededViolation } from './seeded-violation.ts';

const PURCHASES: SeededViolation[] = [
  {
    title: 'a third attempt',
    sql: ({ jobs }) => `${dropCheck('ai_provider_attempts', 'ai_provider_attempts_attemptNumber_check')}
      insert into ai_provider_attempts ("aiJobId", "attemptNumber", status)
      values ('${jobs.secondTry}', 3, 'CANCELED')`,
    offender: ({ jobs }) => `job ${jobs.secondTry} has`,
    named: ['I1'],
  },
  {
    title: 'a second attempt without a first',
    sql: ({ attempts }) =>
      `update ai_provider_attempts set "attemptNumber" = 2 where id = '${attempts.running}'`,
    offender: ({ jobs }) => jobs.running,
    named: ['I1', 'I4'],
  },
  {
    title: 'a second attempt after a permanent failure',
    sql: ({ jobs }) => `update ai_provider_attempts set "errorCode" = 'PROVIDER_MODERATION',
      "errorCategory" = 'permanent' where "aiJobId" = '${jobs.secondTry}' and "attemptNumber" = 1`,
    offender: ({ jobs }) => `attempt 2 of job ${jobs.secondTry}`,
    named: ['I4'],
  },
  {
    title: 'a second attempt after a purchase that only a restart has lost',
    sql: ({ jobs }) => `update ai_provider_attempts set status = 'LOST', "unconfirmedCause" = 'restart'
      where "aiJobId" = '${jobs.secondTry}' and "attemptNumber" = 1`,
    offender: ({ jobs }) => `attempt 2 of job ${jobs.secondTry}`,
    named: ['I4'],
  },
  {
    title: 'a second attempt after the first was collected for an operator',
    sql: ({ jobs }) => `insert into actor_transitions
        ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
      select 'providerAttempt', id, version + 1, 'COLLECT_ASKED', '{"type":"COLLECT_ASKED","at":0}', status, status,
        now(), 'operator:ada'
      from ai_provider_attempts where "aiJobId" = '${jobs.secondTry}' and "attemptNumber" = 1;
      update ai_provider_attempts set version = version + 1
      where "aiJobId" = '${jobs.secondTry}' and "attemptNumber" = 1`,
    offender: ({ jobs }) => `attempt 2 of job ${jobs.secondTry}`,
    named: ['I4'],
  },
  {
    title: 'a prediction id that has changed',
    sql: ({ attempts }) => `update ai_provider_attempts set "providerPredictionId" = 'another'
      where id = '${attempts.running}'`,
    offender: ({ attempts }) => `attempt ${attempts.running} was given`,
    named: ['I5'],
  },
  {
    title: 'a prediction of two attempts',
    sql: ({
      attempts,
    }) => `${dropCheck('ai_provider_attempts', 'ai_provider_attempts_providerPredictionId_key')}
      update ai_provider_attempts set "providerPredictionId" = 'shared'
      where id in ('${attempts.reserved}', '${attempts.unconfirmed}')`,
    offender: () => 'prediction shared belongs to two attempts',
    named: ['I5'],
  },
  {
    title: 'two starts in a minute that allows one',
    sql: ({
      jobs,
    }) => `update actor_transitions set event = event || '{"started": {"at": 1000, "perMinute": 1}}'
      where "eventType" = 'WORKER_STARTED' and "actorId" in ('${jobs.running}', '${jobs.approved}')`,
    offender: () => '2 purchases began in the 60 s',
    named: ['I32'],
  },
  {
    title: 'a text that was changed by hand',
    sql: ({ descriptions }) =>
      `update ai_description_jobs set text = 'Cheap.' where "aiJobId" = '${descriptions.written}'`,
    offender: ({ descriptions }) => `the text of job ${descriptions.written} is not the one`,
    named: ['I35'],
  },
  {
    title: 'a text that is gone',
    sql: ({ descriptions }) =>
      `update ai_description_jobs set text = null where "aiJobId" = '${descriptions.written}'`,
    offender: ({ descriptions }) => `the text of job ${descriptions.written} is not the one`,
    named: ['I35'],
  },
  {
    title: 'a text of a purchase that was not sent yet',
    sql: ({ descriptions }) =>
      `update ai_description_jobs set text = 'Bright.' where "aiJobId" = '${descriptions.reserved}'`,
    offender: ({ descriptions }) => `the text of job ${descriptions.reserved} is not the one`,
    named: ['I35'],
  },
  {
    title: 'an output of another shape than was asked for',
    sql: ({ attempts }) =>
      `update ai_provider_attempts set "outputWidth" = 1536 where id = '${attempts.approved}'`,
    offender: ({ attempts }) => `attempt ${attempts.approved} has brought 1536x1024 for 1:1`,
    named: ['I38'],
  },
  {
    title: 'a purchase that asked for no shape',
    sql: ({ jobs }) =>
      `update ai_room_staging_jobs set "aspectRatio" = null where "aiJobId" = '${jobs.running}'`,
    offender: ({ attempts }) => `attempt ${attempts.running} has brought`,
    named: ['I38'],
  },
  {
    title: 'two images of a job',
    sql: ({ jobs, images }) => `${dropIndex('property_images_aiJobId_uidx')}
      update property_images set "aiJobId" = '${jobs.approved}' where id = '${images.waiting}'`,
    offender: ({ jobs }) => `job ${jobs.approved} has two images`,
    named: ['I6'],
  },
];

const firstTry = ({ jobs }: Life): string => `(
  select id from ai_provider_attempts where "aiJobId" = '${jobs.secondTry}' and "attemptNumber" = 1)`;

const CAUSES: SeededViolation[] = [
  ...(
    [
      ['RUNNER_RESTARTED', '{"type":"RUNNER_RESTARTED"}'],
      ['SEND_UNKNOWN', '{"type":"SEND_UNKNOWN","cause":"restart"}'],
    ] as const
  ).map(([type, event]): SeededViolation => {
    return {
      title: `a second attempt after a purchase lost by our own doing (${type})`,
      sql: (life) => `update ai_provider_attempts set "errorCode" = 'PREDICTION_UNCONFIRMED',
          "unconfirmedCause" = 'transport' where id in ${firstTry(life)};
        update actor_transitions set "eventType" = '${type}', "toState" = 'UNCONFIRMED', event = event || '${event}'
        where "actorId" in ${firstTry(life)} and "eventType" = 'PREDICTION_CREATED'`,
      offender: ({ jobs }) => `attempt 2 of job ${jobs.secondTry} follows a restart`,
      named: ['I29'],
    };
  }),
  {
    title: 'a second attempt after one 404',
    sql: (life) => `update actor_transitions set event = event || '{"errorCode":"OUTPUT_UNAVAILABLE"}'
      where "actorId" in ${firstTry(life)} and "eventType" = 'PREDICTION_FAILED'`,
    offender: ({ jobs }) => `attempt 2 of job ${jobs.secondTry} follows one 404`,
    named: ['I29'],
  },
];

/** A crash at the end of a job's journal; `at` in SQL. */
const crashRow = (
  [kind, id]: readonly [string, string],
  event: { pass?: string; alone?: boolean },
  { from = 'PROCESSING.ATTEMPT', to = from, at = 'now()' }: { from?: string; to?: string; at?: string } = {},
): string => `
  insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
  select '${kind}', '${id}', max(seq) + 1, 'RUNNER_CRASHED',
    '${JSON.stringify({ type: 'RUNNER_CRASHED', at: 0, ...event })}', '${from}', '${to}', ${at}, 'test'
  from actor_transitions where "actorId" = '${id}';
  update ai_jobs set version = version + 1 where id = '${id}';`;
const ofJob = ({ jobs }: Life, name: JobName) => ['stagingJob', jobs[name]] as const;
const COLLECTING = { pass: 'collect-output', alone: false };

const CRASHES: SeededViolation[] = [
  {
    title: 'a crash of a job that only waited for the provider',
    sql: (life) => crashRow(ofJob(life, 'running'), COLLECTING),
    offender: ({ jobs }) => `stagingJob ${jobs.running} crashed in collect-output when it was RUNNING`,
    named: ['I30'],
  },
  {
    title: 'a crash in a picture of a job that was not sent yet',
    sql: (life) => crashRow(ofJob(life, 'reserved'), COLLECTING),
    offender: ({ jobs }) => `stagingJob ${jobs.reserved} crashed in collect-output when it was RESERVED`,
    named: ['I30'],
  },
  {
    title: 'a crash that names no pass',
    sql: (life) => crashRow(ofJob(life, 'collecting'), {}, { at: `now() + interval '2 days'` }),
    offender: ({ jobs }) => `stagingJob ${jobs.collecting} crashed, and no pass is named`,
    named: ['I30'],
    inState: false,
  },
  {
    title: 'a fourth crash in company',
    sql: (life) => crashRow(ofJob(life, 'collecting'), COLLECTING).repeat(4),
    offender: ({ jobs }) => `stagingJob ${jobs.collecting} crashed in company after 3 crashes`,
    named: ['I30'],
  },
  {
    title: 'a job that failed by its second crash',
    sql: (life) =>
      crashRow(ofJob(life, 'collecting'), COLLECTING) +
      crashRow(ofJob(life, 'collecting'), { ...COLLECTING, alone: true }, { to: 'FAILED' }),
    offender: ({ jobs }) => `stagingJob ${jobs.collecting} failed by crash number 2`,
    named: ['I30'],
  },
  {
    title: 'a crash of a description that was not sent yet',
    sql: ({ descriptions }) =>
      crashRow(['descriptionJob', descriptions.reserved], { pass: 'check-text', alone: true }),
    offender: ({ descriptions }) =>
      `descriptionJob ${descriptions.reserved} crashed in check-text when it was RESERVED`,
    named: ['I30'],
  },
];

const STATES: SeededViolation[] = [
  {
    title: 'a gap in a journal',
    sql: ({ jobs }) => `delete from actor_transitions where "actorId" = '${jobs.running}' and seq = 1`,
    offender: ({ jobs }) => `stagingJob ${jobs.running} at version`,
    named: ['I8'],
  },
  ...(
    [
      ['ai_jobs', 'stagingJob', ({ jobs }: Life) => jobs.approved],
      ['ai_provider_attempts', 'providerAttempt', ({ attempts }: Life) => attempts.collecting],
      ['property_images', 'imageReview', ({ images }: Life) => images.waiting],
      ['storage_deletion_outbox', 'deletionItem', ({ deletions }: Life) => deletions.due],
      ['tours', 'tour', ({ tours }: Life) => tours.confirmed],
      ['ai_jobs', 'descriptionJob', ({ descriptions }: Life) => descriptions.written],
      ['start_gate', 'startGate', () => PAUSE_SWITCH_ID],
    ] as const
  ).map(([table, kind, idIn]): SeededViolation => {
    return {
      title: `a ${kind} that was moved past its journal`,
      sql: (life) => `update ${table} set version = version + 1 where id = '${idIn(life)}'`,
      offender: (life) => `${kind} ${idIn(life)} at version`,
      named: ['I8'],
    };
  }),
  ...(
    [
      ['ai_jobs', 'stagingJob', ({ jobs }: Life) => jobs.canceled, 'CANCELED', 'FAILED'],
      [
        'ai_provider_attempts',
        'providerAttempt',
        ({ attempts }: Life) => attempts.canceled,
        'CANCELED',
        'LOST',
      ],
      [
        'storage_deletion_outbox',
        'deletionItem',
        ({ deletions }: Life) => deletions.done,
        'DELETED',
        'PENDING',
      ],
      ['tours', 'tour', ({ tours }: Life) => tours.expired, 'EXPIRED', 'CANCELLED'],
    ] as const
  ).map(([table, kind, idIn, from, to]): SeededViolation => {
    return {
      title: `a ${kind} that left ${from}`,
      sql: (life) => `${journalRow(kind, idIn(life), { from, to })}
        update ${table} set version = version + 1, status = '${to}' where id = '${idIn(life)}'`,
      offender: (life) => `${kind} ${idIn(life)} left ${from} for ${to}`,
      named: ['I10'],
    };
  }),
  {
    title: 'a descriptionJob that left SUCCESS and came back',
    sql: ({ descriptions }) =>
      `${journalRow('descriptionJob', descriptions.written, { from: 'SUCCESS', to: 'CANCELED' })}
       update ai_jobs set version = version + 1 where id = '${descriptions.written}'`,
    offender: ({ descriptions }) => `descriptionJob ${descriptions.written} left SUCCESS for CANCELED`,
    named: ['I10'],
  },
  {
    title: 'a stagingJob whose picture no operator had collected',
    sql: ({ jobs }) =>
      `${journalRow('stagingJob', jobs.canceled, { from: 'FAILED', to: 'CANCELED', event: 'COLLECT_ASKED' })}
       update ai_jobs set version = version + 1 where id = '${jobs.canceled}'`,
    offender: ({ jobs }) => `stagingJob ${jobs.canceled} left FAILED for CANCELED`,
    named: ['I10'],
  },
  {
    title: 'an image that came back',
    sql: ({ images }) => journalRow('imageReview', images.rejected, { from: 'REMOVED', to: 'APPROVED' }),
    offender: ({ images }) => `imageReview ${images.rejected} left REMOVED`,
    named: ['I10'],
    inState: false,
  },
  ...(
    [
      ['PENDING', 'QUEUED', 'running'],
      ['RETRYING', 'BACKOFF', 'running'],
      ['SUCCESS', null, 'running'],
      ['SUCCESS', null, 'canceled'],
      ['FAILED', null, 'approved'],
      ['CANCELED', null, 'reserved'],
      ['CANCEL_REQUESTED', null, 'secondTry'],
      ['PROCESSING', 'ATTEMPT', 'canceled', 'I15'],
    ] as const
  ).map(([status, phase, name, also]): SeededViolation => {
    return {
      title: `the job ${name} as ${status}`,
      sql: ({
        jobs,
      }) => `update ai_jobs set status = '${status}', phase = ${phase === null ? 'null' : `'${phase}'`},
        "retryAt" = now(), "leaseOwner" = null, "leaseExpiresAt" = null, "heartbeatAt" = now()
        where id = '${jobs[name]}'`,
      offender: ({ jobs }) => jobs[name],
      named: ['I11', ...(also ? [also] : [])],
    };
  }),
  {
    title: 'two jobs for one wish',
    sql: ({ jobs }) => `${dropIndex('ai_jobs_active_staging_dedupe_uidx')}
      update ai_jobs set "dedupeKey" = (select "dedupeKey" from ai_jobs where id = '${jobs.running}')
      where id = '${jobs.queued}';
      update ai_room_staging_jobs set "originalImageId" =
        (select "originalImageId" from ai_room_staging_jobs where "aiJobId" = '${jobs.running}')
      where "aiJobId" = '${jobs.queued}'`,
    offender: () => 'two jobs under way for',
    named: ['I12'],
  },
  {
    title: 'two live variants of one style',
    sql: ({ images }) => `${dropIndex('property_images_live_staged_variant_uidx')}
      update property_images set "styledFromId" =
        (select "styledFromId" from property_images where id = '${images.approved}')
      where id = '${images.waiting}'`,
    offender: ({ originals }) => `two live variants of ${originals.staged}`,
    named: ['I12'],
  },
];

const OWNERSHIP: SeededViolation[] = [
  {
    title: 'an epoch that went back',
    sql: ({ attempts, jobs }) => `update ai_jobs set "leaseEpoch" = 9 where id = '${jobs.running}';
      update actor_transitions set "leaseEpoch" = 9 where "actorId" = '${attempts.running}' and seq = 1`,
    offender: ({ attempts }) => `providerAttempt ${attempts.running} has epoch`,
    named: ['I13'],
  },
  {
    title: 'an epoch that no lease ever had',
    sql: ({ jobs }) => `update ai_jobs set "leaseEpoch" = 0 where id = '${jobs.running}'`,
    offender: () => 'was moved under epoch 1, the latest lease is 0',
    named: ['I13'],
  },
  {
    title: 'half a lease',
    sql: ({ jobs }) => `update ai_jobs set "leaseOwner" = null where id = '${jobs.running}'`,
    offender: ({ jobs }) => `job ${jobs.running} has half a lease`,
    named: ['I13'],
    inState: false,
  },
  {
    title: 'a lease of a job that is over',
    sql: ({ jobs }) => `${dropCheck('ai_jobs', 'ai_jobs_final_has_no_lease_check')}
      update ai_jobs set "leaseOwner" = 'node-z', "leaseExpiresAt" = now() where id = '${jobs.approved}'`,
    offender: ({ jobs }) => `job ${jobs.approved} is SUCCESS and held by node-z`,
    named: ['I14'],
  },
];

const DELIVERY: SeededViolation[] = [
  {
    title: 'a wait without an end',
    sql: ({ jobs }) => `${dropCheck('ai_jobs', 'ai_jobs_retrying_has_due_time_check')}
      update ai_jobs set "retryAt" = null where id = '${jobs.backingOff}'`,
    offender: ({ jobs }) => `nothing wakes job ${jobs.backingOff}`,
    named: ['I15'],
  },
  {
    title: 'a job without its details',
    sql: ({ jobs }) => `delete from ai_room_staging_jobs where "aiJobId" = '${jobs.queued}'`,
    offender: ({ jobs }) => `nothing wakes job ${jobs.queued}`,
    named: ['I15'],
    inState: false,
  },
  {
    title: 'a waiting description of which nobody knows what was asked for',
    sql: ({ descriptions }) => `delete from ai_description_jobs where "aiJobId" = '${descriptions.waiting}'`,
    offender: ({ descriptions }) => `nothing wakes job ${descriptions.waiting}`,
    named: ['I15'],
    inState: false,
  },
  {
    title: 'a callback without its receipt',
    sql: ({ attempts }) => `delete from ai_provider_webhook_receipts
      where "providerAttemptId" = '${attempts.running}'`,
    offender: ({ attempts }) => `attempt ${attempts.running} was changed by 1 callbacks, and 0`,
    named: ['I23'],
  },
  {
    title: 'a receipt whose callback changed nothing',
    sql: ({
      attempts,
    }) => `insert into ai_provider_webhook_receipts ("webhookId", "providerAttemptId", outcome)
      values ('msg-other', '${attempts.collecting}', 'APPLIED')`,
    offender: ({ attempts }) => `attempt ${attempts.collecting} was changed by 0 callbacks, and 1`,
    named: ['I23'],
  },
  {
    title: 'a webhook that was received twice',
    sql: ({
      attempts,
    }) => `${dropCheck('ai_provider_webhook_receipts', 'ai_provider_webhook_receipts_webhookId_key')}
      insert into ai_provider_webhook_receipts ("webhookId", "providerAttemptId", outcome)
      values ('msg-${attempts.running}', '${attempts.running}', 'IGNORED')`,
    offender: ({ attempts }) => `webhook msg-${attempts.running} was received twice`,
    named: ['I23'],
  },
  ...(['queued', 'running', 'backingOff'] as const).map((name): SeededViolation => {
    return {
      title: `silence about the job ${name}`,
      sql: ({ jobs }) => `update ai_jobs set "createdAt" = now() - interval '6 minutes',
        "heartbeatAt" = now() - interval '6 minutes' where id = '${jobs[name]}'`,
      offender: ({ jobs }) => `job ${jobs[name]} is`,
      named: ['I26'],
    };
  }),
];

/** Of jobs with their purchases, of leases, and of deliveries. */
export const JOB_VIOLATIONS: readonly SeededViolation[] = [
  ...PURCHASES,
  ...CAUSES,
  ...CRASHES,
  ...STATES,
  ...OWNERSHIP,
  ...DELIVERY,
];
