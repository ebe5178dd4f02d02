import type { ThreadKey } from '../../../api/queries.ts';
import { keepList, keptList, UNSENT_MESSAGES } from '../../../session/kept-of-person.ts';
import { kept } from '../../../site/keeper.ts';

/** A message that was not acknowledged. It keeps its id, so that sending it again is the same message. */
export interface UnsentMessage {
  readonly messageId: string;
  readonly text: string;
}

type Place = ThreadKey & { readonly personId: string };

const isAt = ({ propertyId, customerId, personId }: Place, one: Readonly<Record<string, unknown>>): boolean =>
  one.propertyId === propertyId && one.customerId === customerId && one.personId === personId;

/** What a page that was closed or killed has left. */
export function unsentMessage(place: Place): UnsentMessage | null {
  const { messageId, text } = keptList(kept, UNSENT_MESSAGES).find((one) => isAt(place, one)) ?? {};
  return typeof messageId === 'string' && typeof text === 'string' ? { messageId, text } : null;
}

export function keepUnsent(place: Place, message: UnsentMessage | null): void {
  const { propertyId, customerId, personId } = place;
  const others = keptList(kept, UNSENT_MESSAGES).filter((one) => !isAt(place, one));
  const own = message === null ? [] : [{ propertyId, customerId, personId, ...message }];
  keepList(kept, UNSENT_MESSAGES, [...others, ...own]);
}
