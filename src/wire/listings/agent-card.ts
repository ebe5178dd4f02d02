import { z } from 'zod';

/**
 * An agent as customers see them (docs/contract.md#listings). The office, its phone and the licence are what
 * advertising rules ask for; the e-mail address is also the key to the agent's account, so it is shown only when the
 * agent chose to (`users.updateProfile`), and customers write through tour requests otherwise.
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
