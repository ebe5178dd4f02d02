import { z } from 'zod';
import type { UserProfile } from '../../persistence/accounts/user-queries.ts';
import { USER_LOCALES, USER_ROLES } from '../../persistence/entities/user.ts';
import { instant, iso, line } from './text.ts';

const phone = line(32);

/** Compared as sign-in keeps it: without spaces around it, in small letters. */
export const findAgentInput = z.strictObject({ email: line(254).toLowerCase() });
export const findAgentOutput = z.object({
  agentId: z.string(),
  fullName: z.string(),
  photoUrl: z.string().nullable(),
  officeName: z.string().nullable(),
});

export const updateProfileInput = z
  .strictObject({
    name: line(100),
    phone: phone.nullable(),
    locale: z.enum(USER_LOCALES),
    emailPublic: z.boolean(),
  })
  .partial();
export const becomeAgentInput = z.strictObject({
  licenseNumber: line(64),
  officeName: line(120),
  phone: phone.nullish(),
});

export const meOutput = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  role: z.enum(USER_ROLES),
  locale: z.enum(USER_LOCALES),
  phone: z.string().nullable(),
  /** Null for customers. */
  agent: z
    .object({
      licenseNumber: z.string().nullable(),
      officeName: z.string().nullable(),
      phone: z.string().nullable(),
      /** Whether the agent's card shows the e-mail address. */
      emailPublic: z.boolean(),
    })
    .nullable(),
  createdAt: instant,
});
export type Me = z.output<typeof meOutput>;

export function toMe(profile: UserProfile): Me {
  const { id, email, name, image, role, locale, licenseNumber, officeName, phone, emailPublic, createdAt } =
    profile;
  const agent = role === 'agent' ? { licenseNumber, officeName, phone, emailPublic } : null;
  return { id, email, name, image, role, locale, phone, agent, createdAt: iso(createdAt) };
}
