import { PURCHASE_KIND_NAMES } from '../../machines/purchase-kinds.ts';
import { isFinalState } from '../../machines/step.ts';
import { ACTOR_KINDS, type ActorKind } from '../../persistence/actors/actor-kinds.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/rows/pause-switch-row.ts';
import type { SeenActor } from '../../persistence/console/actors.ts';
import { whyNothingIsCollected } from './collecting.ts';
import { toText } from './dry-run.ts';
import { type ActorOperationInfo, OPERATION_NAMES, type OperationName } from './operation.ts';
import { BULK_FORMS } from './selection.ts';
import { isQuarantined } from './subjects.ts';

type Description = Omit<ActorOperationInfo, 'name' | 'forceMeans' | 'bulk' | 'onlyId' | 'lessens'> &
  Partial<Pick<ActorOperationInfo, 'forceMeans' | 'onlyId' | 'lessens'>>;

const JOBS: readonly ActorKind[] = PURCHASE_KIND_NAMES;
const isOver = ({ kind, actor }: SeenActor): boolean => isFinalState(ACTOR_KINDS[kind].machine, actor.state);
const itIsOver = ({ kind, actor }: SeenActor): string =>
  `It is over (${actor.state}): ${toText(kind, actor.state).sentence}`;

const DESCRIPTIONS: Record<OperationName, Description> = {
  'cancel-job': {
    title: 'Cancel a job',
    sentence: 'Stops a job: immediately if nothing was bought, otherwise by canceling the purchase.',
    kinds: JOBS,
    event: 'CANCEL_ASKED',
    whyIgnored: (subject) => (isOver(subject) ? itIsOver(subject) : 'It is being canceled already.'),
    notes: (subject) =>
      isQuarantined(subject) && !subject.actor.state.startsWith('PENDING')
        ? ['It is quarantined: its purchase is not canceled before it is released.']
        : [],
  },
  'retry-deletion': {
    title: 'Retry a failed deletion',
    sentence: 'Has the next drain try again to delete an object that could not be deleted.',
    kinds: ['deletionItem'],
    event: 'RETRY_ASKED',
    forceMeans: 'The cause is fixed: try again although the error is permanent.',
    whyIgnored(subject) {
      if (subject.kind !== 'deletionItem' || subject.actor.state !== 'FAILED')
        return `Only a failed deletion can be retried; this one is ${subject.actor.state}.`;
      return 'Its error will not go away by itself: fix the cause first, then use force.';
    },
    notes: () => ['The next drain tries, within a minute, and counts its tries from zero.'],
  },
  'release-job': {
    title: 'Release a job that was quarantined',
    sentence: 'Puts a job back to work after the cause of its crashes is fixed.',
    kinds: JOBS,
    event: 'RELEASE_ASKED',
    whyIgnored: (subject) => (isOver(subject) ? itIsOver(subject) : 'It is not quarantined.'),
    notes: () => ['Its crashes are counted from zero.'],
  },
  're-enqueue-job': {
    title: 'Put a waiting job into the queue again',
    sentence: 'Has the queue bring a job that waits; an existing entry stays as it is.',
    kinds: JOBS,
    event: 'OFFER_ASKED',
    whyIgnored: (subject) =>
      isOver(subject)
        ? itIsOver(subject)
        : 'The queue brings only jobs that wait to start; a running one is taken over by any worker when its lease expires.',
    notes: (subject) =>
      isQuarantined(subject) ? ['It is quarantined: no worker takes it before it is released.'] : [],
  },
  'collect-output': {
    title: 'Collect a picture whose host was refused',
    sentence:
      'Has the picture of a job that failed with OUTPUT_HOST_REFUSED downloaded again, within an hour after the provider completed it.',
    kinds: ['stagingJob'],
    event: 'COLLECT_ASKED',
    whyIgnored: whyNothingIsCollected,
    notes: () => [
      'A worker downloads it within seconds. Nothing is bought, now or later: if it cannot be collected, the job fails again.',
      'The picture is private until an agent of the listing approves it.',
    ],
  },
  'rebuild-document': {
    title: 'Rebuild a search document',
    sentence:
      'Has the worker write the card of a listing again, or remove it when the listing has none. All of them at once: npm run search:schema -- --enqueue.',
    kinds: ['searchDocument'],
    event: 'REBUILD_ASKED',
    whyIgnored: () => 'There is nothing to rebuild.',
    notes: (subject) => [
      subject.beside.onMarket === false
        ? 'The listing is not on the market: the worker makes sure that it has no document.'
        : 'Until the worker has written it, within seconds, its card is read from the database.',
    ],
  },
  'pause-starting': {
    title: 'Pause starting',
    sentence:
      'Lets no worker begin a purchase, until starting is resumed; what was already bought continues.',
    kinds: ['startGate'],
    event: 'PAUSE_ASKED',
    onlyId: PAUSE_SWITCH_ID,
    whyIgnored: () => 'Starting is paused already.',
    notes: () => [
      'Every worker learns of it within about a second; a request already sent by then is not taken back.',
      'Jobs that would start wait; polling, collecting, canceling and deletion continue.',
    ],
  },
  'resume-starting': {
    title: 'Resume starting',
    sentence: 'Lets workers whose flag is on begin purchases again.',
    kinds: ['startGate'],
    event: 'RESUME_ASKED',
    onlyId: PAUSE_SWITCH_ID,
    whyIgnored: ({ actor }) =>
      actor.state === 'CHECKING'
        ? "It resumes by itself when every purchase is compared with the provider's list."
        : 'Starting is not paused.',
    notes: () => [
      'What waits starts within seconds, at the start rate, where AI_ROOM_STAGING_ENABLED is true.',
    ],
  },
  'close-gap': {
    title: 'Close the gap of a failover',
    sentence: 'Records that the decisions a failover may have lost were checked.',
    kinds: ['startGate'],
    event: 'GAP_LOOKED_AT',
    onlyId: PAUSE_SWITCH_ID,
    whyIgnored: () => 'There is no open gap.',
    notes: () => ['The console and the alert no longer show the gap. Starts are not affected.'],
  },
  'start-feed': {
    title: 'Start a feed',
    sentence:
      'Reads the feed from where it stopped, or from its beginning; a feed that waits is read at once.',
    kinds: ['feed'],
    event: 'START_ASKED',
    whyIgnored: () => 'It is read already.',
    notes: () => ['A worker begins within seconds. Listings appear as their pages are written.'],
  },
  'pause-feed': {
    title: 'Pause a feed',
    sentence: 'Reads nothing of the feed until it is started again; its listings stay as they are.',
    kinds: ['feed'],
    event: 'PAUSE_ASKED',
    lessens: true,
    whyIgnored: () => 'It is not being read.',
    notes: () => ['The page that is being read is still written or given up whole.'],
  },
  'reconcile-feed': {
    title: 'Compare all keys of a feed',
    sentence: 'Reads the list of all keys now; what it does not name leaves, if that is not too much.',
    kinds: ['feed'],
    event: 'RECONCILE_ASKED',
    whyIgnored: () => 'Only a feed that follows its source can be compared.',
    notes: () => ['More than one listing in twenty leaves only after a decision.'],
  },
  'accept-feed-deletions': {
    title: 'Let the missing listings leave',
    sentence: 'Lets all listings leave that the last complete list of the feed did not name.',
    kinds: ['feed'],
    event: 'DELETIONS_ACCEPTED',
    whyIgnored: () => 'No listings wait for a decision.',
    notes: () => [
      'Their pages and search results are gone within seconds. A record that comes back brings its listing back.',
    ],
  },
  'refuse-feed-deletions': {
    title: 'Keep the missing listings',
    sentence: 'Keeps the listings that the last complete list of the feed did not name, until the next list.',
    kinds: ['feed'],
    event: 'DELETIONS_REFUSED',
    whyIgnored: () => 'No listings wait for a decision.',
    notes: () => ['If the next list does not name them either, they wait for a decision again.'],
  },
  'withdraw-picture': {
    title: 'Withdraw a staged picture',
    sentence: 'Hides an approved picture from the public, until an operator lifts the withdrawal.',
    kinds: ['imageReview'],
    event: 'WITHDRAW',
    lessens: true,
    whyIgnored: ({ actor }) =>
      actor.state === 'WITHDRAWN'
        ? 'It is withdrawn already, and no agent can lift that.'
        : 'Only an approved picture can be withdrawn.',
    notes: () => ['Caches that have the picture may show it for up to a day.'],
  },
  'lift-withdrawal': {
    title: 'Show a withdrawn picture again',
    sentence: 'Lifts the withdrawal of an approved picture, also one by reports or an operator.',
    kinds: ['imageReview'],
    event: 'LIFT',
    whyIgnored: ({ actor }) =>
      actor.state === 'WITHDRAWN'
        ? 'The photo was staged in this style again: the newer picture takes its place.'
        : 'It is not withdrawn.',
    notes: () => ['Undecided reports about it are closed.'],
  },
  'dismiss-reports': {
    title: 'Keep a picture that was reported',
    sentence: 'Closes the reports about a shown picture: they no longer count.',
    kinds: ['imageReview'],
    event: 'REPORTS_DISMISSED',
    whyIgnored: ({ actor }) =>
      actor.state === 'WITHDRAWN'
        ? 'It is withdrawn: showing it again closes its reports.'
        : 'Only a shown picture has reports.',
    notes: () => [],
  },
  'consent-to-approval': {
    title: 'Consent to an approval',
    sentence:
      'Lets an agent approve a staged picture although reports withdrew the one that they approved before.',
    kinds: ['imageReview'],
    event: 'APPROVAL_CONSENTED',
    whyIgnored: ({ actor }) =>
      actor.state === 'PENDING_REVIEW' ? 'There is a consent already.' : 'It is not waiting for a review.',
    notes: () => ['An agent of the listing must still approve it.'],
  },
  'mark-contest-read': {
    title: 'Close a contested no-show',
    sentence: 'Notes that both versions of a no-show were read. The tour and its reports stay as they are.',
    kinds: ['tour'],
    event: 'CONTEST_READ',
    whyIgnored: ({ actor }) =>
      actor.state === 'NO_SHOW'
        ? 'It is not contested, or was closed before.'
        : 'Only a no-show can be contested.',
    notes: () => [],
  },
};

/** Every operation on actors, for code that only describes them. */
export const OPERATIONS: readonly ActorOperationInfo[] = OPERATION_NAMES.map((name) => ({
  name,
  forceMeans: null,
  onlyId: null,
  lessens: false,
  bulk: BULK_FORMS[name] ?? null,
  ...DESCRIPTIONS[name],
}));
