import { PublicError } from '../errors/errors.ts';

/**
 * Every call of a page names the person whose page it is: the id, or `none`. A browser has one session, but may show
 * pages of several people: one tab stays open while another person signs in.
 */
export const PERSON_HEADER = 'x-person';

/**
 * Refuses what the page of one person asks with the session of another, so that nothing is done in the wrong name. Native
 * clients do not send the header. A session that has ended is UNAUTHORIZED where one is needed.
 * @throws PublicError PERSON_CHANGED
 */
export function refuseOtherPerson(named: string | null, person: string | null): void {
  if (named !== null && person !== null && named !== person) throw new PublicError('PERSON_CHANGED');
}
