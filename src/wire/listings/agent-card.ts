import { z } from 'zod';

/**
 * An agent as customers see them (docs/contract.md#listings). Advertising rules require the office, its phone and
 * the license. The email address also identifies the agent's account, so it is shown only when the agent has
 * chosen so (`users.updateProfile`); otherwise customers write through tour requests.
 */
export const agentCard = z.object({
  agentId: z.string(),
  fullName: z.string(),
  photoUrl: z.string().nullable(),
  licenseNumber: z.string().nullable(),
  officeName: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
});
