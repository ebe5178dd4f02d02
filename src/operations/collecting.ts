import { type CollectAsked, whyNotCollected } from '../../machines/refused-output.ts';
import { readRefusedOutput } from '../../persistence/actors/refused-outputs.ts';
import type { SeenActor } from '../../persistence/console/actors.ts';
import { isAllowedOutputHost } from '../provider/output-download.ts';
import type { OperationPorts } from './operation.ts';

/** What an operator's `collect-output` would send now, as last committed; the deciding transaction reads it again. */
export async function collectAsked(
  { pool, outputHosts }: Pick<OperationPorts, 'pool' | 'outputHosts'>,
  { actor }: SeenActor,
  at: number,
): Promise<CollectAsked> {
  const found = await readRefusedOutput(pool, actor.id);
  const { host } = found;
  // Without a name only the collecting itself can say it.
  const hostAllowed = host === null || isAllowedOutputHost(host, outputHosts);
  return { type: 'COLLECT_ASKED', at, ...found, hostAllowed, objectKey: '' };
}

/** Why nothing is collected, for the operator. */
export function whyNothingIsCollected({ actor }: SeenActor, event: { type: string; at: number }): string {
  if (actor.kind !== 'stagingJob' || !isCollectAsked(event)) return 'It is about no picture.';
  if (actor.state.startsWith('PROCESSING') && actor.context.errorCode === 'OUTPUT_HOST_REFUSED')
    return 'Its picture is being collected already.';
  const why = actor.state === 'FAILED' ? whyNotCollected(actor.context, event) : 'NOT_REFUSED';
  switch (why) {
    case 'TOO_LATE':
      return 'The provider has removed the picture: it keeps one for an hour after completing it. The photo can only be submitted again.';
    case 'HOST_NOT_ALLOWED':
      return `Its host ${event.host} is not in PROVIDER_OUTPUT_HOSTS here. Add it for every worker, restart them, and ask again.`;
    case 'PHOTO_GONE':
      return 'Its photo was deleted.';
    case 'PHOTO_ALTERED':
      return 'Its photo was altered before it came here, or looks like a staged picture, so nothing may be staged of it.';
    case 'SUBMITTED_AGAIN':
      return 'Its photo was submitted again in this style, or has a picture of it.';
    default:
      return 'Only a job that failed with OUTPUT_HOST_REFUSED has a picture to collect.';
  }
}

const isCollectAsked = (event: { type: string }): event is CollectAsked => event.type === 'COLLECT_ASKED';
