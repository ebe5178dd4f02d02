import { z } from 'zod';
import { uuid } from '../text.ts';
import { propertyCard } from './property-card.ts';

export const similarInput = z.strictObject({ propertyId: uuid, limit: z.int().min(1).max(20).default(6) });
/** Best first. */
export const similarOutput = z.object({ items: z.array(propertyCard) });
