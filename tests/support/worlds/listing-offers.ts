import type { Pool } from 'pg';
import type { Answer, Person } from '../http/person.ts';

/** Ways by which agents get listings, with the answer that each needs. */
type Kind = 'Assignment' | 'Ownership';

interface Offered {
  readonly kind: Kind;
  readonly propertyId: string;
  readonly to: Pick<Person, 'id'>;
}

export const offer = (owner: Person, { kind, propertyId, to }: Offered): Promise<Answer> =>
  owner.mutate(`properties.offer${kind}`, { propertyId, agentId: to.id });

/** The id of a new offer. */
export async function offerOf(owner: Person, offered: Offered): Promise<string> {
  const { status, data, text } = await offer(owner, offered);
  if (status !== 200) throw new Error(`no offer was made: ${text}`);
  return data.offerId;
}

/** Offers and accepts. */
export async function handOver(
  owner: Person,
  { to, keepFormerOwner = true, ...offered }: Offered & { to: Person; keepFormerOwner?: boolean },
): Promise<Answer> {
  const offerId = await offerOf(owner, { ...offered, to });
  return to.mutate('properties.answerOffer', { offerId, accept: true, keepFormerOwner });
}

export const assignTo = (owner: Person, propertyId: string, to: Person): Promise<Answer> =>
  handOver(owner, { kind: 'Assignment', propertyId, to });

/** Gives a seeded listing to another agent by rows; no one stays assigned who was not before. */
export async function seedNewOwner(
  pool: Pool,
  { propertyId, ownerAgentId }: { propertyId: string; ownerAgentId: string },
): Promise<void> {
  await pool.query(
    `INSERT INTO listing_offers
       ("propertyId", kind, "fromAgentId", "toAgentId", status, "createdAt", "expiresAt", "endedAt")
     SELECT id, 'OWNERSHIP', "ownerAgentId", $2, 'ACCEPTED', now(), now() + interval '1 day', now()
     FROM properties WHERE id = $1`,
    [propertyId, ownerAgentId],
  );
  await pool.query('UPDATE properties SET "ownerAgentId" = $2 WHERE id = $1', [propertyId, ownerAgentId]);
}
