import type { Market, Profile } from './profile.ts';
import { AU } from './profiles/au.ts';
import { DEFAULT } from './profiles/default.ts';
import { EU } from './profiles/eu.ts';
import { GB } from './profiles/gb.ts';
import { US_CA } from './profiles/us-ca.ts';
import { US_CA_CCAR } from './profiles/us-ca-ccar.ts';
import { US_CA_CRMLS } from './profiles/us-ca-crmls.ts';
import { US_FL_STELLAR } from './profiles/us-fl-stellar.ts';
import { US_IL_MRED } from './profiles/us-il-mred.ts';
import { US_WA_NWMLS } from './profiles/us-wa-nwmls.ts';
import { US_WI } from './profiles/us-wi.ts';

/** Every profile by its market, in the order in which they are offered. */
export const PROFILES: Readonly<Record<Market, Profile>> = {
  GB,
  'US-CA': US_CA,
  'US-CA-CRMLS': US_CA_CRMLS,
  'US-CA-CCAR': US_CA_CCAR,
  'US-WA-NWMLS': US_WA_NWMLS,
  'US-FL-STELLAR': US_FL_STELLAR,
  'US-IL-MRED': US_IL_MRED,
  'US-WI': US_WI,
  EU,
  AU,
  default: DEFAULT,
};

/** Of a listing's address. */
export interface Place {
  /** Two capital letters (ISO 3166). */
  readonly country: string;
  /** As the agent wrote it: a name or an abbreviation. */
  readonly stateOrProvince: string | null;
}

/** The market of an address. The market of a listing service is never among them: an agent chooses it. */
export function marketOf({ country, stateOrProvince }: Place): Market {
  const state = stateOrProvince?.trim().toLowerCase() ?? null;
  const found = Object.values(PROFILES).find(
    ({ reach }) =>
      reach.by === 'ADDRESS' &&
      reach.countries.includes(country) &&
      (reach.states === undefined || reach.states.some((known) => known.toLowerCase() === state)),
  );
  return found?.market ?? 'default';
}
