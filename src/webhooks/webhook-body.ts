import type { WebhookTurn } from '../../persistence/webhooks/sending.ts';
import { iso } from '../wire/text.ts';

type SentTurn = Pick<
  WebhookTurn,
  'event' | 'propertyId' | 'subjectId' | 'number' | 'customerId' | 'createdAt'
>;

/**
 * What a delivery says (docs/contract.md#webhooks-out): ids, and the address of the page. Names, texts and values are on that
 * page and in the API, where the reader's rights are checked.
 * @param origin of the site, without a slash at its end
 */
export function webhookBody(delivery: SentTurn, origin: string): string {
  const { event, createdAt } = delivery;
  return JSON.stringify({ type: event, timestamp: iso(createdAt), data: dataOf(delivery, origin) });
}

function dataOf({ event, propertyId, subjectId, number, customerId }: SentTurn, origin: string) {
  const thread = `${origin}/inbox/${propertyId}/${customerId}`;
  switch (event) {
    case 'tour.requested':
    case 'tour.confirmed':
      return { tourId: subjectId, version: number, propertyId, page: thread };
    case 'message.received':
      return { threadId: subjectId, seq: number, propertyId, page: thread };
    case 'listing.changed':
      return { propertyId, page: `${origin}/properties/${propertyId}` };
    case 'picture.approved':
      return { stagedImageId: subjectId, propertyId, page: `${origin}/provenance/${subjectId}` };
    case 'webhook.test':
      return {};
  }
}
