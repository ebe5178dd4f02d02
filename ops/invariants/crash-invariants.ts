import { CRASHES_BEFORE_ALONE, type LocalPass, MAX_RUNNER_CRASHES } from '../../machines/crashes.ts';
import {
  attemptsOf,
  each,
  type Invariant,
  type PipelineState,
  type PositionedEntry,
} from './pipeline-state.ts';

/** The state of the attempt during each pass of local work. */
const WORKED_ON_IN: Readonly<Record<LocalPass, string>> = {
  'prepare-input': 'RESERVED',
  'collect-output': 'COLLECTING',
  'check-text': 'COLLECTING',
};
const RESERVED_IN = 'PROCESSING.ATTEMPT';

/**
 * Workers of the release before this rule record crashes without the name of a pass. The last of them has ended at
 * most this long after the migration.
 */
const ROLLOUT = `interval '1 day'`;

/**
 * Every crash since journals are kept. Each has the number of consecutive crashes of the job before it (since its
 * last change of state or release), and the last recorded state of the purchase at that time. The number is unknown
 * for a job that also crashed before the rule (`inherited`). A crash before a migration of the job is left out,
 * because it belongs to another machine.
 */
const CRASHES = `
  select c."actorKind" as kind, c."actorId" as id, c.at, c.event->>'pass' as pass, c."toState" = 'FAILED' as last,
    coalesce((c.event->>'alone')::boolean, false) as alone,
    (
      select case e."actorKind" when 'providerAttempt' then e."toState" else 'RESERVED' end from (
        select t.* from actor_transitions t join ai_provider_attempts a on a.id = t."actorId"
        where t."actorKind" = 'providerAttempt' and a."aiJobId" = c."actorId"
        union all
        select * from actor_transitions
        where "actorKind" = c."actorKind" and "actorId" = c."actorId" and "toState" = '${RESERVED_IN}'
          and "fromState" is distinct from "toState") e
      where e.id < c.id order by e.id desc limit 1) as state,
    (select count(*) from actor_transitions e
      where e."actorKind" = c."actorKind" and e."actorId" = c."actorId" and e.seq < c.seq
        and e."eventType" = 'RUNNER_CRASHED' and e.seq > coalesce((
          select max(seq) from actor_transitions r
          where r."actorKind" = c."actorKind" and r."actorId" = c."actorId" and r.seq < c.seq
            and (r."toState" is distinct from r."fromState" or r."eventType" = 'RELEASE_ASKED')), 0)) as before,
    exists (select from actor_transitions e
      where e."actorKind" = c."actorKind" and e."actorId" = c."actorId" and e.seq < c.seq
        and e."eventType" = 'RUNNER_CRASHED' and not e.event ? 'pass') as inherited
  from actor_transitions c
  where c."eventType" = 'RUNNER_CRASHED'
    and c.at >= (select before from retention_cuts where what = 'journal')
    and not exists (select from actor_transitions m
      where m."actorKind" = c."actorKind" and m."actorId" = c."actorId" and m.seq > c.seq and m."eventType" = 'MIGRATED')`;

const PASSES = Object.entries(WORKED_ON_IN)
  .map(([pass, state]) => `when '${pass}' then '${state}'`)
  .join(' ');

/** What a crash is counted against (`machines/crashes.ts`). */
export const CRASH_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I30',
    sentence:
      'A job fails by crashes only if local work on it was under way at each, and it alone at the last.',
    when: 'always',
    sql: `
      select format('%s %s %s', kind, id, wrong) from (${CRASHES}) crashes cross join lateral (select case
        when pass is null then case
          when at > (select executed_at from mikro_orm_migrations where name = '0029_local_passes') + ${ROLLOUT}
            then 'crashed, and no pass is named' end
        when case pass ${PASSES} end is distinct from state
          then format('crashed in %s when it was %s', pass, coalesce(state, 'nothing'))
        when inherited then null
        when before >= ${CRASHES_BEFORE_ALONE} and not alone
          then format('crashed in company after %s crashes', before)
        when last and (before + 1 < ${MAX_RUNNER_CRASHES} or not alone)
          then format('failed by crash number %s', before + 1)
        end as wrong) judged
      where wrong is not null`,
    breaches: (state) =>
      state.jobs.flatMap(({ id }) =>
        each(sinceTakenOver(state, id), (entry) => {
          const wrong = wrongIn(state, entry);
          return wrong && `${entry.kind} ${id} ${wrong}`;
        }),
      ),
  },
];

function sinceTakenOver({ journal }: PipelineState, id: string): readonly PositionedEntry[] {
  const entries = journal.get(id) ?? [];
  return entries.slice(entries.findLastIndex(({ event }) => event.type === 'MIGRATED') + 1);
}

function wrongIn(state: PipelineState, entry: PositionedEntry): string | null {
  const { type, pass, alone, at } = entry.event as PositionedEntry['event'] & {
    pass?: LocalPass;
    alone?: boolean;
  };
  if (type !== 'RUNNER_CRASHED' || at < (state.journalKeptSince ?? at)) return null;
  // Recorded before the rule.
  if (pass === undefined) return null;
  const worked = purchaseAt(state, entry);
  if (WORKED_ON_IN[pass] !== worked) return `crashed in ${pass} when it was ${worked ?? 'nothing'}`;
  const before = crashesBefore(state, entry);
  if (before === null) return null;
  if (before >= CRASHES_BEFORE_ALONE && !alone) return `crashed in company after ${before} crashes`;
  if (entry.to !== 'FAILED') return null;
  return before + 1 < MAX_RUNNER_CRASHES || !alone ? `failed by crash number ${before + 1}` : null;
}

/** The last recorded state of the job's purchase before the entry. */
function purchaseAt(state: PipelineState, { id, position }: PositionedEntry): string | null {
  const begun = (state.journal.get(id) ?? []).filter(({ from, to }) => to === RESERVED_IN && from !== to);
  const told = attemptsOf(state, id).flatMap((attempt) => state.journal.get(attempt.id) ?? []);
  const last = [...begun, ...told]
    .filter((entry) => entry.position < position)
    .reduce<PositionedEntry | null>((a, b) => (a && a.position > b.position ? a : b), null);
  return last && (last.kind === 'providerAttempt' ? last.to : 'RESERVED');
}

/** Null when the job has inherited crashes from before the rule. */
function crashesBefore({ journal }: PipelineState, { id, seq }: PositionedEntry): number | null {
  const earlier = (journal.get(id) ?? []).filter((entry) => entry.seq < seq);
  const isCrash = ({ event }: PositionedEntry) => event.type === 'RUNNER_CRASHED';
  if (earlier.some((entry) => isCrash(entry) && !('pass' in entry.event))) return null;
  const since = earlier.findLastIndex(({ event, from, to }) => from !== to || event.type === 'RELEASE_ASKED');
  return earlier.slice(since + 1).filter(isCrash).length;
}
