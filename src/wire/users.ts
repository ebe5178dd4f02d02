import { z } from 'zod';
import type { UserProfile } from '../../persistence/accounts/user-queries.ts';
import { MAIL_KINDS, USER_LOCALES, USER_ROLES } from '../../persistence/entities/values.ts';
import { listingAgent } from './listings/listing-agents.ts';
import { spelledAddress } from './mail-address.ts';
import { instant, iso, line, plainLine, viewOf } from './text.ts';

const phone = line(32);

export const findAgentInput = z.strictObject({ email: line(254).transform(spelledAddress) });
export const findAgentOutput = listingAgent.omit({ isOwner: true });

export const updateProfileInput = z
  .strictObject({
    name: plainLine(100),
    phone: phone.nullable(),
    locale: z.enum(USER_LOCALES),
    emailPublic: z.boolean(),
    mutedMails: z.array(z.enum(MAIL_KINDS)).max(MAIL_KINDS.length),
  })
  .partial();
export const becomeAgentInput = z
  .strictObject({
    licenseNumber: plainLine(64),
    /** Needed without an invitation, which names the office. */
    officeName: plainLine(120).nullish(),
    phone: phone.nullish(),
    /** The secret of an invitation. */
    invitation: z
      .string()
      .regex(/^[\w-]{43}$/)
      .nullish(),
  })
  .refine(({ officeName, invitation }) => officeName != null || invitation != null, {
    path: ['officeName'],
    message: 'An office or an invitation is needed.',
  });

export const inviteColleagueInput = z.strictObject({
  email: line(254).transform(spelledAddress).pipe(z.email()),
});
export const inviteColleagueOutput = z.object({ expiresAt: instant });

const agentProfile = z.object({
  licenseNumber: z.string().nullable(),
  officeName: z.string().nullable(),
  phone: z.string().nullable(),
  /** Whether the agent's card shows the email address. */
  emailPublic: z.boolean(),
});
export const meOutput = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  role: z.enum(USER_ROLES),
  locale: z.enum(USER_LOCALES),
  phone: z.string().nullable(),
  /** The kinds of mail that the person does not want. */
  mutedMails: z.array(z.enum(MAIL_KINDS)),
  /** Null for customers. */
  agent: agentProfile.nullable(),
  createdAt: instant,
});
export type Me = z.output<typeof meOutput>;

export function toMe(profile: UserProfile): Me {
  const agent = profile.role === 'agent' ? viewOf(agentProfile, profile) : null;
  return viewOf(meOutput, { ...profile, agent, createdAt: iso(profile.createdAt) });
}
