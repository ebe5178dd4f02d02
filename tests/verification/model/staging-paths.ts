import { fromTransition, type SnapshotFrom } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { withoutBeginnings } from './machine-paths.ts';
import { newScene, type PathEvent, tell, vertexOf, wordsFor } from './staging-inputs.ts';
import type { JobModel, StagingModel } from './staging-model.ts';

/**
 * Shortest paths of one job together with its attempts. `xstate/graph` walks the model; contexts that differ
 * only in times, ids or irrelevant numbers are one vertex.
 */
export interface StagingPath {
  /** The reason for this path: a combination of states, or a transition. */
  title: string;
  told: PathEvent[];
}

type Say = { type: 'TOLD'; told: PathEvent };
const logic = fromTransition(
  (model: StagingModel, { told }: Say) => {
    const next = structuredClone(model);
    tell(next, told);
    return next;
  },
  newScene({ job: 'job', objectKey: 'o', providerInputKey: 'i' }),
);

/** States of a job and its attempts side by side. */
const combinationOf = (job: JobModel): string =>
  [job.state, ...job.attempts.map(({ state }) => state)].join(' + ');

/** Every transition that an event causes, those by further messages included. */
function movesOf(before: JobModel, after: JobModel, { event }: PathEvent): string[] {
  const moved = (kind: string, from: { state: string; version: number }, to: typeof from) =>
    to.version === from.version ? [] : [`${kind} ${from.state} ${event.type} ${to.state}`];
  return [
    ...moved('job', before, after),
    ...after.attempts.flatMap((attempt, index) => {
      const earlier = before.attempts[index] ?? { ...attempt, version: attempt.version };
      return moved(`attempt ${index + 1}`, earlier, attempt);
    }),
  ];
}

function findPaths(): StagingPath[] {
  const ways = getShortestPaths(logic, {
    events: (snapshot: SnapshotFrom<typeof logic>) =>
      wordsFor(snapshot.context).map((told): Say => ({ type: 'TOLD', told })),
    serializeState: ({ context }: SnapshotFrom<typeof logic>) => vertexOf(context),
    limit: 200_000,
  })
    .map(({ state, steps }) => ({
      model: state.context,
      told: steps.flatMap(({ event }) => ('told' in event ? [(event as Say).told] : [])),
    }))
    .sort((one, other) => one.told.length - other.told.length);
  const chosen = new Map<string, PathEvent[]>();
  const choose = (label: string, told: PathEvent[]) => void (chosen.has(label) || chosen.set(label, told));
  for (const { model, told } of ways) {
    const [job] = model.jobs;
    if (!job) continue;
    choose(combinationOf(job), told);
  }
  for (const { model, told } of ways)
    for (const word of wordsFor(model)) {
      const after = structuredClone(model);
      tell(after, word);
      const [earlier, later] = [model.jobs[0], after.jobs[0]];
      if (earlier && later) for (const move of movesOf(earlier, later, word)) choose(move, [...told, word]);
    }
  const titles = new Map(
    [...chosen].map(([label, told]) => [told, label]).toReversed() as [PathEvent[], string][],
  );
  return withoutBeginnings([...chosen.values()]).map((told) => ({ title: titles.get(told) ?? '', told }));
}

export const STAGING_PATHS: StagingPath[] = findPaths();
