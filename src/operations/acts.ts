import type { Pool } from 'pg';
import type { PhotoState } from '../../machines/vocabulary.ts';
import {
  type InvitationForOperators,
  invitationByEmail,
  invitationForOperators,
  withdrawInvitation,
} from '../../persistence/accounts/agent-invitations.ts';
import {
  type Account,
  endSessions,
  personByEmail,
  readAccount,
  restoreAccount,
  suspendAccount,
} from '../../persistence/accounts/suspensions.ts';
import type { ActTrail } from '../../persistence/console/operator-acts.ts';
import { decidePhoto, type PhotoCase, photoCase } from '../../persistence/console/photo-cases.ts';
import {
  type PhotoForOperators,
  photoForOperators,
  takeBackAlteration,
} from '../../persistence/images/photo-alterations.ts';
import {
  type ListingForOperators,
  listingForOperators,
  restoreListing,
  takeDownListing,
} from '../../persistence/listings/take-downs.ts';
import { withRetries } from '../../supervisors/actors/retry-policy.ts';
import { endToursOfListing, finishSuspension } from '../../supervisors/sweepers/suspensions.ts';
import { systemChance, systemTimers } from '../time.ts';
import { uuid } from '../wire/text.ts';
import { confirmed } from './confirmed.ts';
import type {
  ActName,
  Operation,
  OperationInfo,
  OperationPorts,
  Preview,
  StateLabel,
  SubjectKind,
} from './operation.ts';
import { originOf } from './signature.ts';

/**
 * What operators may do to accounts, listings, photos and invitations. An act is one transaction that writes the change
 * and its line in `operator_acts`; what follows through machines (tours, jobs) comes after it, and a sweep repeats what a
 * crash cut off.
 */
interface Subject {
  kind: 'account' | 'listing' | 'photo' | 'invitation';
  id: string;
  version: number;
  state: StateLabel;
}
interface Act extends OperationInfo {
  name: ActName;
  /** The subject, with what the act would do to it, or why it would do nothing. Null when there is none of that id. */
  look(pool: Pool, id: string, at: number): Promise<{ subject: Subject; plan: Plan } | null>;
  /** The id of what a mail address names; absent where it names nothing. */
  idOf?(pool: Pool, email: string): Promise<string | null>;
  /** False when there was nothing to do. */
  act(pool: Pool, id: string, trail: ActTrail): Promise<boolean>;
  /** Through the machines, after the act. */
  follow?(ports: OperationPorts, id: string, origin: { by: string }): Promise<void>;
}
type Plan = { to: StateLabel; effects: string[] } | { why: string };

const ACTIVE = { state: 'ACTIVE', sentence: 'The person may use everything that their role allows.' };
const SUSPENDED = {
  state: 'SUSPENDED',
  sentence: 'The person may sign in to read, export and delete; their listings are hidden.',
};
const DELETED = { state: 'DELETED', sentence: 'The account was deleted; only its id is left.' };
const SHOWN = { state: 'SHOWN', sentence: 'Its status decides who sees it.' };
const TAKEN_DOWN = { state: 'TAKEN_DOWN', sentence: 'An operator hides it, whatever its status.' };

export const stateOfAccount = ({ isDeleted, suspendedAt }: Account): StateLabel => {
  if (isDeleted) return DELETED;
  return suspendedAt === null ? ACTIVE : SUSPENDED;
};
export const stateOfListing = ({ hiddenFor }: ListingForOperators): StateLabel =>
  hiddenFor.includes('TAKEN_DOWN') ? TAKEN_DOWN : SHOWN;

const UNALTERED = { state: 'UNALTERED', sentence: 'It is shown as a photo, without a label.' };
const stateOfPhoto = ({ alteration, alterationBy }: PhotoForOperators): StateLabel =>
  alteration === null
    ? UNALTERED
    : { state: 'ALTERED', sentence: `${alteration}, says ${WORD_OF[alterationBy ?? 'AGENT']}.` };
const WORD_OF = { AGENT: 'an agent of the listing', FILE: 'the file', FEED: 'the feed' } as const;

const onAccount = (planOf: (account: Account) => Plan): Pick<Act, 'kinds' | 'look' | 'idOf'> => ({
  kinds: ['account'],
  idOf: personByEmail,
  async look(pool, id) {
    const account = await readAccount(pool, id);
    if (account === null) return null;
    const { version } = account;
    return {
      subject: { kind: 'account', id, version, state: stateOfAccount(account) },
      plan: account.isDeleted ? { why: DELETED.sentence } : planOf(account),
    };
  },
});
const onListing = (planOf: (listing: ListingForOperators) => Plan): Pick<Act, 'kinds' | 'look'> => ({
  kinds: ['listing'],
  async look(pool, id) {
    const listing = await listingForOperators(pool, id);
    if (listing === null) return null;
    const { version } = listing;
    return {
      subject: { kind: 'listing', id, version, state: stateOfListing(listing) },
      plan: planOf(listing),
    };
  },
});

const onPhoto = (planOf: (found: PhotoCase) => Plan): Pick<Act, 'kinds' | 'look'> => ({
  kinds: ['photo'],
  async look(pool, id) {
    const found = await photoCase(pool, id);
    if (found === null) return null;
    const state = { state: found.state, sentence: PHOTO_SENTENCES[found.state] };
    return { subject: { kind: 'photo', id, version: found.version, state }, plan: planOf(found) };
  },
});
const PHOTO_SENTENCES: Readonly<Record<PhotoState, string>> = {
  WAITING: 'It is not shown until it has a verdict.',
  PHOTO: 'It is shown as a photo.',
  SUSPECT: 'It looks like a staged picture, and is shown until an operator decides.',
  QUESTION:
    'It looks like a staged picture, and is not shown until an agent or an operator says that it is a photo.',
  STAGED_PICTURE: 'It is a staged picture, and is not shown as a photo.',
};
const isDecided = ({ state, answeredBy }: PhotoCase, as: PhotoState): boolean =>
  state === as && answeredBy === 'OPERATOR';
const onAlteredPhoto = (planOf: (photo: PhotoForOperators) => Plan): Pick<Act, 'kinds' | 'look'> => ({
  kinds: ['photo'],
  async look(pool, id) {
    const photo = await photoForOperators(pool, id);
    if (photo === null) return null;
    return {
      subject: { kind: 'photo', id, version: photo.version, state: stateOfPhoto(photo) },
      plan: planOf(photo),
    };
  },
});

const onInvitation = (
  planOf: (invitation: InvitationForOperators) => Plan,
): Pick<Act, 'kinds' | 'look' | 'idOf'> => ({
  kinds: ['invitation'],
  idOf: invitationByEmail,
  async look(pool, id, at) {
    const found = await invitationForOperators(pool, { id, at });
    if (found === null) return null;
    const state = { state: found.state, sentence: INVITATION_SENTENCES[found.state] };
    return { subject: { kind: 'invitation', id, version: found.version, state }, plan: planOf(found) };
  },
});
const INVITATION_SENTENCES: Readonly<Record<InvitationForOperators['state'], string>> = {
  OPEN: 'Its link makes one person an agent.',
  ACCEPTED: 'A person has become an agent with it.',
  WITHDRAWN: 'An operator has ended it. Its link opens nothing.',
  ENDED: 'Its link opens nothing: its time is over, or the inviting agent is suspended.',
};

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
const some = (n: number, sentence: string): string[] => (n === 0 ? [] : [sentence]);
const ALONE = { forceMeans: null, bulk: null, onlyId: null };

export const ACTS: readonly Act[] = [
  {
    ...ALONE,
    name: 'suspend-account',
    title: 'Suspend an account',
    sentence:
      'Refuses every change by the person, hides their listings everywhere, and cancels their open tours and unbought jobs.',
    lessens: true,
    ...onAccount(({ suspendedAt, listings, openTours, unboughtJobs }) => {
      if (suspendedAt !== null) return { why: 'The account is suspended already.' };
      return {
        to: SUSPENDED,
        effects: [
          ...some(listings, `${count(listings, 'listing')} leave every public surface within two seconds.`),
          ...some(openTours, `${count(openTours, 'open tour')} are canceled; both sides get a mail.`),
          ...some(unboughtJobs, `${count(unboughtJobs, 'job')} are canceled; what was bought is finished.`),
          'The person stays signed in. End their sessions if the account was stolen.',
        ],
      };
    }),
    act: suspendAccount,
    follow: (ports, personId, origin) => finishSuspension(ports, personId, origin),
  },
  {
    ...ALONE,
    name: 'restore-account',
    title: 'Restore an account',
    sentence: 'Ends a suspension. Listings are public again as their status says.',
    lessens: false,
    ...onAccount(({ suspendedAt, listings }) => {
      if (suspendedAt === null) return { why: 'The account is not suspended.' };
      const stays = 'Listings that were taken down stay so. Canceled tours and jobs stay canceled.';
      return { to: ACTIVE, effects: [...some(listings, `${count(listings, 'listing')} return.`), stays] };
    }),
    act: restoreAccount,
  },
  {
    ...ALONE,
    name: 'end-sessions',
    title: 'End all sessions of a person',
    sentence: 'Signs a person out everywhere, at once. They may sign in again with a new code.',
    lessens: true,
    ...onAccount((account) => {
      const { sessions } = account;
      if (sessions === 0) return { why: 'The person is signed in nowhere.' };
      return { to: stateOfAccount(account), effects: [`${count(sessions, 'session')} end.`] };
    }),
    act: endSessions,
  },
  {
    ...ALONE,
    name: 'take-down-listing',
    title: 'Take down a listing',
    sentence: 'Hides a listing and its pictures everywhere, whatever its status, and cancels its open tours.',
    lessens: true,
    ...onListing((listing) => {
      if (stateOfListing(listing) === TAKEN_DOWN) return { why: 'The listing is taken down already.' };
      return {
        to: TAKEN_DOWN,
        effects: [
          'It leaves every public surface within two seconds. Its agents keep it in the studio.',
          'Caches that have its pictures may show them for up to a day.',
          ...some(listing.openTours, `${count(listing.openTours, 'open tour')} are canceled.`),
        ],
      };
    }),
    act: takeDownListing,
    follow: (ports, propertyId, origin) => endToursOfListing(ports, propertyId, origin),
  },
  {
    ...ALONE,
    name: 'restore-listing',
    title: 'Restore a listing',
    sentence: 'Shows a listing again that was taken down, as its status says.',
    lessens: false,
    ...onListing((listing) => {
      if (stateOfListing(listing) === SHOWN) return { why: 'The listing is not taken down.' };
      const isStillHidden = listing.hiddenFor.includes('OWNER_SUSPENDED');
      return {
        to: SHOWN,
        effects: [
          isStillHidden ? 'It stays hidden while its owner is suspended.' : 'It is public again as it was.',
        ],
      };
    }),
    act: restoreListing,
  },
  {
    ...ALONE,
    name: 'accept-photo',
    title: 'Accept a photo',
    sentence:
      'Says that a photo that looks like a staged picture is a true photo. It is shown as its listing is.',
    lessens: false,
    ...onPhoto((found) =>
      isDecided(found, 'PHOTO')
        ? { why: 'An operator has accepted it already.' }
        : { to: { state: 'PHOTO', sentence: PHOTO_SENTENCES.PHOTO }, effects: [] },
    ),
    act: (pool, imageId, trail) => decidePhoto(pool, { imageId, answer: 'PHOTO' }, trail),
  },
  {
    ...ALONE,
    name: 'refuse-photo',
    title: 'Refuse a photo',
    sentence: 'Says that a photo is a staged picture of ours. It is never shown as a photo.',
    lessens: true,
    ...onPhoto((found) =>
      isDecided(found, 'STAGED_PICTURE')
        ? { why: 'An operator has refused it already.' }
        : {
            to: { state: 'STAGED_PICTURE', sentence: PHOTO_SENTENCES.STAGED_PICTURE },
            effects: [
              'It leaves every public surface, with what is staged of it. Its open jobs are canceled.',
            ],
          },
    ),
    act: (pool, imageId, trail) => decidePhoto(pool, { imageId, answer: 'STAGED_PICTURE' }, trail),
  },
  {
    ...ALONE,
    name: 'take-back-alteration',
    title: 'Take back that a photo was altered',
    sentence:
      'Removes the label of an altered photo, whether an agent, the file or a feed says that it was altered.',
    lessens: false,
    ...onAlteredPhoto((photo) => {
      if (photo.alteration === null) return { why: 'The photo is not altered.' };
      return {
        to: UNALTERED,
        effects: [
          'It is shown as a true photo, and can be staged and be the cover.',
          'Withdrawn staged pictures of it stay withdrawn until an agent lifts that.',
        ],
      };
    }),
    act: takeBackAlteration,
  },
  {
    ...ALONE,
    name: 'withdraw-invitation',
    title: 'Withdraw an invitation',
    sentence: 'Ends an open invitation of an agent. Its link stops working at once.',
    lessens: true,
    ...onInvitation(({ state, officeName, by }) => {
      if (state !== 'OPEN') return { why: `It is not open. ${INVITATION_SENTENCES[state]}` };
      return {
        to: { state: 'WITHDRAWN', sentence: INVITATION_SENTENCES.WITHDRAWN },
        effects: [
          `It was made by ${by?.replace(':', ' ') ?? 'an agent'}, for ${officeName}.`,
          'The address gets no mail about this. Inviting it again mails another link.',
        ],
      };
    }),
    act: withdrawInvitation,
  },
];

const missing = (operation: ActName, id: string) => ({
  operation,
  id,
  kind: null,
  outcome: 'missing' as const,
  version: null,
  why: 'There is nothing of that id that this could change.',
});

export function createActOperation(ports: OperationPorts, act: Act): Operation {
  const { name, lessens } = act;
  const look = async (text: string) => {
    // A mail address names a person or an invitation, but is kept nowhere.
    const id = act.idOf !== undefined && text.includes('@') ? await act.idOf(ports.pool, text) : text;
    const parsed = uuid.safeParse(id);
    return parsed.success ? act.look(ports.pool, parsed.data, ports.clock.now()) : null;
  };
  return {
    ...act,
    async preview(text): Promise<Preview> {
      const seen = await look(text);
      if (seen === null) return { ...missing(name, text), from: null, to: null, effects: [] };
      const { subject, plan } = seen;
      const { kind, id, version, state: from } = subject;
      const shown = { operation: name, id, kind: kind as SubjectKind, version, from };
      if ('why' in plan) return { ...shown, outcome: 'ignored', to: null, effects: [], why: plan.why };
      return { ...shown, outcome: 'applies', ...plan, why: null };
    },
    async run(text, asking) {
      const origin = originOf(asking, ports.scrub);
      const before = await look(text);
      if (before === null) return { ...missing(name, text), state: null, isDurable: true };
      const { kind, id, version: seen, state } = before.subject;
      const told = { operation: name, id, kind: kind as SubjectKind };
      if (asking.seenVersion !== undefined && asking.seenVersion !== seen) {
        const why = `Another operator has acted since: it is ${state.state}.`;
        // It may be this very act, repeated because no standby had it.
        const { isDurable } = await confirmed(ports, { lessens, work: async () => {} });
        return { ...told, outcome: 'stale', state: state.state, version: seen, why, isDurable };
      }
      const trail = { by: origin.by, reason: origin.note ?? '', at: ports.clock.now() };
      const retrying = { timers: systemTimers, chance: systemChance };
      const work = () => withRetries(retrying, () => act.act(ports.pool, id, trail));
      const { result: applied, isDurable } = await confirmed(ports, { lessens, work });
      // Also for a repeat, which finishes what was cut off.
      await act.follow?.(ports, id, { by: origin.by });
      const after = await look(id);
      if (after === null) return { ...missing(name, id), state: null, isDurable };
      const { version } = after.subject;
      const why = !applied && 'why' in before.plan ? before.plan.why : null;
      const outcome = applied ? 'applied' : 'ignored';
      return { ...told, outcome, state: after.subject.state.state, version, why, isDurable };
    },
  };
}
