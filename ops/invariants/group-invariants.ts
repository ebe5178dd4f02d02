import type { StagingJobActor } from '../../persistence/actors/rows/job-row.ts';
import { JOBS_OUTSIDE_THEIR_GROUP, WRONG_REFERENCES } from '../../persistence/console/invariant-sql.ts';
import { each, type Invariant, type PipelineState, singlesOf } from './pipeline-state.ts';

/** What a group of photos promises for the jobs of its photos (docs/contract.md#room-groups). */
export const GROUP_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I36',
    sentence: 'The jobs of a group are of photos of one listing, with the room type and style of the group.',
    when: 'always',
    sql: JOBS_OUTSIDE_THEIR_GROUP,
    // A PipelineState has no groups: their jobs must agree with each other.
    breaches: (state) => {
      const groups = Map.groupBy(groupedJobs(state), ({ details }) => details.groupId);
      return [...groups].flatMap(([groupId, jobs]) => {
        const rooms = new Set(jobs.map(({ details }) => roomOf(details)));
        return rooms.size > 1 ? [`group ${groupId} has jobs of ${[...rooms].join(' and ')}`] : [];
      });
    },
  },
  {
    id: 'I37',
    sentence: 'A second input is a picture of the job’s group, approved before the job was submitted.',
    when: 'always',
    sql: WRONG_REFERENCES,
    breaches: (state) => each(groupedJobs(state), (job) => wrongReference(state, job)),
  },
];

const groupedJobs = ({ jobs }: PipelineState): StagingJobActor[] =>
  jobs.filter((job): job is StagingJobActor => job.kind === 'stagingJob' && job.details.groupId !== null);

const roomOf = ({ propertyId, canonicalRoomType, canonicalStyle }: StagingJobActor['details']): string =>
  `${canonicalStyle} ${canonicalRoomType} of listing ${propertyId}`;

function wrongReference(state: PipelineState, { id, details }: StagingJobActor): string | null {
  const key = details.referenceImageKey;
  const image =
    key === null ? undefined : singlesOf(state, 'imageReview').find(({ objectKey }) => objectKey === key);
  if (image === undefined) return null;
  const told = (why: string) => `job ${id} was sent with picture ${image.id}, which ${why}`;
  // A withdrawal came later, or the picture would not have been sent.
  if (image.state === 'PENDING_REVIEW') return told('is not approved');
  const maker = groupedJobs(state).find((job) => job.id === image.jobId);
  if (maker?.details.groupId !== details.groupId) return told('is not of its group');
  const [begun] = state.journal.get(id) ?? [];
  const approval = state.journal.get(image.id)?.find(({ event }) => event.type === 'APPROVE');
  if (begun && approval && begun.position < approval.position) return told('was approved later');
  return null;
}
