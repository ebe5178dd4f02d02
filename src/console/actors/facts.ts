import { html } from 'hono/html';
import { ATTEMPT_FAILURES, type AttemptErrorCode } from '../../../machines/failure-classes.ts';
import type { FactValue } from '../../../persistence/actors/actor-kind.ts';
import { definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import type { Lease } from '../../../persistence/actors/rows/job-row.ts';
import type { SeenActor } from '../../../persistence/console/actors.ts';
import { provenanceUrl } from '../../wire/images.ts';
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
  /** Whether the configuration has prices. Without them no estimate is shown, even if rows contain one. */
  hasPrices: boolean;
  publicBaseUrl: string;
}

/** The fields of an actor besides its state, the most important first. */
export function factsOf(seen: SeenActor, looks: Looks): Fact[] {
  const own = definitionOf(seen.kind).page.facts(seen.actor, seen.beside);
  const all = { ...own, Version: String(seen.actor.version), Began: { instant: seen.createdAt } };
  return Object.entries(all).flatMap(([label, value]) => {
    const known = value === null ? null : shown(value, looks);
    return known === null ? [] : { label, value: known };
  });
}

function shown(
  value: FactValue,
  { at, queue, screen, hasPrices, publicBaseUrl }: Looks,
): Html | string | null {
  if (typeof value === 'string') return value;
  if ('code' in value) return html`<code>${value.code}</code>`;
  if ('instant' in value) return html`${timeTag(value.instant)}${value.note ? ` ${value.note}` : ''}`;
  if ('due' in value)
    return html`${clockTimeAndSpan(value.due, at)}${value.foreign ? html`: ${screen(value.foreign)}` : ''}`;
  if ('ago' in value) return value.ago === null ? 'none yet' : `${span(at - value.ago)} ago`;
  if ('actor' in value) return link(`${value.actor.kind}/${value.actor.id}`, value.actor.id);
  if ('listing' in value) return link(`stagingJob?property=${value.listing}`, value.listing);
  if ('image' in value) return link(`search?q=${value.image}`, value.image);
  if ('record' in value)
    return html`<a href="${provenanceUrl(publicBaseUrl, value.record)}">photo and picture</a>`;
  if ('foreign' in value) return screen(value.foreign);
  if ('node' in value) return html`<span class="mono">${shortId(value.node)}</span>`;
  if ('lease' in value)
    return value.lease === null ? `not leased · epoch ${value.epoch}` : leaseLabel(value.lease, at);
  if ('entry' in value) return entryWords(queue, at);
  if ('errorCode' in value)
    return html`<span class="badge bad">${value.errorCode}</span> ${categoryOf(value.errorCode)}`;
  return hasPrices ? formatMicrousd(value.microusd) : null;
}

function leaseLabel({ owner, epoch, expiresAt }: Lease, at: number): Html {
  const until = `${expiresAt > at ? 'until' : 'ran out'} ${clockTimeAndSpan(expiresAt, at)}`;
  return html`${link(`stagingJob?worker=${encodeURIComponent(owner)}`, owner)} · epoch ${epoch} · ${until}`;
}

function entryWords(queue: QueueLook | null, at: number): string {
  if (queue === null) return 'unknown: the key-value store does not answer';
  if (queue.entry === null) return 'none';
  const { state, delayedUntil, starts } = queue.entry;
  const until = delayedUntil === null ? '' : ` until ${clockTimeAndSpan(delayedUntil, at)}`;
  return `${state}${until}${starts > 0 ? `, taken ${starts} times` : ''}`;
}

/** Codes of older releases have no category. */
function categoryOf(errorCode: string): string {
  return Object.hasOwn(ATTEMPT_FAILURES, errorCode)
    ? ATTEMPT_FAILURES[errorCode as AttemptErrorCode].category
    : '';
}

const link = (address: string, id: string): Html =>
  html`<a class="mono" href="/console/actors/${address}">${shortId(id)}</a>`;
