import { html } from 'hono/html';
import { ATTEMPT_FAILURES, type AttemptErrorCode } from '../../../machines/failure-classes.ts';
import type { FactValue } from '../../../persistence/actors/actor-kind.ts';
import { singleKind } from '../../../persistence/actors/actor-kinds.ts';
import type { Lease } from '../../../persistence/actors/actor-store.ts';
import { styleWords } from '../../../persistence/actors/image-row.ts';
import type {
  SeenActor,
  SeenDescriptionJob,
  SeenJob,
  SeenStagingJob,
} from '../../../persistence/console/actors.ts';
import { formatMicrousd } from '../costs/microusd.ts';
import { shortId } from '../labels.ts';
import type { Html } from '../layout.ts';
import type { TextScreen } from '../shown-text.ts';
import { clockTimeAndSpan, span, timeTag } from '../time-texts.ts';
import type { QueueLook } from './wait-context.ts';

export interface Fact {
  label: string;
  value: Html | string;
}
interface Looks {
  at: number;
  queue: QueueLook | null;
  screen: TextScreen;
  /** Whether the configuration has prices; without them no estimate is shown, whatever the rows hold. */
  hasPrices: boolean;
}

/** What there is to know of an actor beside its state, the most asked for first. */
export function factsOf(seen: SeenActor, looks: Looks): Fact[] {
  return [
    ...ownFacts(seen, looks),
    fact('Version', String(seen.actor.version)),
    fact('Began', timeTag(seen.createdAt)),
  ];
}

function ownFacts(seen: SeenActor, looks: Looks): Fact[] {
  switch (seen.kind) {
    case 'stagingJob':
      return stagingJobFacts(seen, looks);
    case 'descriptionJob':
      return descriptionJobFacts(seen, looks);
    case 'providerAttempt':
      return attemptFacts(seen, looks);
    default:
      return singleKind(seen.kind)
        .page.facts(seen.actor, seen.beside)
        .map(({ label, value }) => fact(label, shown(value, looks)));
  }
}

function shown(value: FactValue, { at, screen }: Looks): Html | string {
  if (typeof value === 'string') return value;
  if ('code' in value) return code(value.code);
  if ('instant' in value) return timeTag(value.instant);
  if ('due' in value) return clockTimeAndSpan(value.due, at);
  if ('actor' in value) return actorLink(value.actor.kind, value.actor.id);
  if ('listing' in value) return listing(value.listing);
  if ('image' in value) return found(value.image);
  return 'foreign' in value ? screen(value.foreign) : html`<span class="mono">${shortId(value.node)}</span>`;
}

function stagingJobFacts(job: SeenStagingJob, looks: Looks): Fact[] {
  const { details, context } = job.actor;
  const { originalImageId, propertyId, canonicalStyle, canonicalRoomType, requestedByUserId } = details;
  const provider = [details.providerModel, details.quality, details.aspectRatio, details.outputFormat];
  return [
    ...errorFact(context.errorCode),
    ...heldFacts(job, looks),
    fact('Listing', propertyId === null ? 'gone' : listing(propertyId)),
    fact('Original', found(originalImageId)),
    fact(
      'Result',
      context.resultImageId === null ? 'none yet' : actorLink('imageReview', context.resultImageId),
    ),
    fact(
      'Asked for',
      `${styleWords(canonicalStyle, job.legacyStyle)} in ${canonicalRoomType ?? 'a room of no type'}`,
    ),
    fact('Provider inputs', code([...provider, details.promptVersion].filter(Boolean).join(' · '))),
    fact('Asked by', requestedByUserId === null ? 'unknown' : code(`user:${requestedByUserId}`)),
  ];
}

function descriptionJobFacts(job: SeenDescriptionJob, looks: Looks): Fact[] {
  const { details, context } = job.actor;
  return [
    ...errorFact(context.errorCode),
    ...heldFacts(job, looks),
    fact('Listing', details.propertyId === null ? 'gone' : listing(details.propertyId)),
    fact('Language', details.locale),
    fact('Provider model', code(details.providerModel)),
    fact('Draft', job.characters === null ? 'none' : `${job.characters} characters, not shown`),
  ];
}

function heldFacts({ lease, heartbeatAt, quarantine, actor }: SeenJob, looks: Looks): Fact[] {
  const { at, queue, screen } = looks;
  const epoch = ` · epoch ${actor.leaseEpoch}`;
  return [
    fact('Lease', lease === null ? `not leased${epoch}` : leaseLabel(lease, at)),
    fact('Heartbeat', heartbeatAt === null ? 'none yet' : `${span(at - heartbeatAt)} ago`),
    fact('Queue entry', entryWords(queue, at)),
    ...(quarantine === null
      ? []
      : [
          fact(
            'Quarantined',
            html`${clockTimeAndSpan(quarantine.since, at)}${quarantine.error === null ? '' : html`: ${screen(quarantine.error)}`}`,
          ),
        ]),
  ];
}

function leaseLabel({ owner, epoch, expiresAt }: Lease, at: number): Html {
  const until = `${expiresAt > at ? 'until' : 'ran out'} ${clockTimeAndSpan(expiresAt, at)}`;
  return html`<a class="mono" href="/console/actors/stagingJob?worker=${encodeURIComponent(owner)}">${shortId(owner)}</a> · epoch ${epoch} · ${until}`;
}

function entryWords(queue: QueueLook | null, at: number): string {
  if (queue === null) return 'unknown: the key-value store does not answer';
  if (queue.entry === null) return 'none';
  const { state, delayedUntil, starts } = queue.entry;
  const until = delayedUntil === null ? '' : ` until ${clockTimeAndSpan(delayedUntil, at)}`;
  return `${state}${until}${starts > 0 ? `, taken ${starts} times` : ''}`;
}

function attemptFacts(
  { actor, job, costMicrousd }: Extract<SeenActor, { kind: 'providerAttempt' }>,
  { hasPrices }: Looks,
): Fact[] {
  const { context, jobId } = actor;
  return [
    ...errorFact(context.errorCode),
    fact('Job', actorLink(job?.kind ?? 'stagingJob', jobId)),
    fact('Attempt', `${context.attemptNumber} of ${job?.actor.context.attemptsAllowed ?? 'unknown'}`),
    fact(
      'Prediction',
      context.providerPredictionId === null ? 'not known' : code(context.providerPredictionId),
    ),
    fact('Provider says', context.providerStatus ?? 'nothing yet'),
    fact(
      'Sent',
      context.sentAt === null ? 'never' : html`${timeTag(context.sentAt)} (try ${context.sendTries})`,
    ),
    fact('Object', context.objectKey === null ? 'none' : code(context.objectKey)),
    ...(hasPrices && costMicrousd !== null ? [fact('Estimated cost', formatMicrousd(costMicrousd))] : []),
  ];
}

function errorFact(errorCode: string | null): Fact[] {
  if (errorCode === null) return [];
  return [fact('Error', html`<span class="badge bad">${errorCode}</span> ${categoryOf(errorCode)}`)];
}

/** Codes of older releases have no category. */
function categoryOf(errorCode: string): string {
  return Object.hasOwn(ATTEMPT_FAILURES, errorCode)
    ? ATTEMPT_FAILURES[errorCode as AttemptErrorCode].category
    : '';
}

const fact = (label: string, value: Html | string): Fact => ({ label, value });
const code = (text: string): Html => html`<code>${text}</code>`;
const actorLink = (kind: string, id: string): Html =>
  html`<a class="mono" href="/console/actors/${kind}/${id}">${shortId(id)}</a>`;
const listing = (id: string): Html =>
  html`<a class="mono" href="/console/actors/stagingJob?property=${id}">${shortId(id)}</a>`;
const found = (id: string): Html =>
  html`<a class="mono" href="/console/actors/search?q=${id}">${shortId(id)}</a>`;
